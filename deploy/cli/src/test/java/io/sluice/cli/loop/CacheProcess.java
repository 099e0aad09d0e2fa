package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.cache.NodeCache;
import io.sluice.corpus.store.TestingS3;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code sluice cache} in a process of its own, for a bucket of tests. */
final class CacheProcess implements AutoCloseable {
  private final Path folder;
  private final Process process;

  private CacheProcess(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /** Starts it, and waits until it answers. */
  static CacheProcess start(Path folder, TestingS3 s3, String store, String size, String secret) {
    try {
      Path out = Path.of(folder + ".out");
      ProcessBuilder builder =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.sluice.cli.Sluice",
                  "cache",
                  folder.toString(),
                  "--store=" + store,
                  "--size=" + size)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      builder.environment().put("AWS_ACCESS_KEY_ID", "tests");
      builder.environment().put("AWS_SECRET_ACCESS_KEY", secret);
      builder.environment().put("AWS_ENDPOINT_URL", s3.endpoint().toString());
      Process process = builder.start();
      CacheProcess started = new CacheProcess(folder, process);
      Patience.await(Patience.MINUTE, () -> !process.isAlive() || started.answers());
      assertThat(process.isAlive()).as(Files.readString(out)).isTrue();
      return started;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean answers() {
    try {
      new NodeCache(folder).status();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** What it has and does. */
  JsonNode status() throws IOException {
    return new ObjectMapper().readTree(new NodeCache(folder).status());
  }

  /** Its folder, as trainers are told of it. */
  Path folder() {
    return folder;
  }

  /** Ends it in the middle of whatever it is at. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
