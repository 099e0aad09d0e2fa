package io.sluice.cli.upgrade;

import java.nio.file.Path;

/**
 * A jar that was sent, which Flink keeps until this is closed; jobs that were started from it have
 * it.
 *
 * @param id Flink's
 */
record SentJar(FlinkCluster flink, String id) implements AutoCloseable {
  static SentJar of(FlinkCluster flink, Path file) {
    return new SentJar(flink, flink.upload(file));
  }

  @Override
  public void close() {
    flink.remove(id);
  }
}
