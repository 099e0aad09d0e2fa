package io.sluice.cli.ingest.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.domain.CorpusEnds;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An ingest in a process of its own, which is killed. */
final class KilledIngest {
  private KilledIngest() {}

  /**
   * Starts a class' main method with Kafka's servers and further arguments, and kills it once a
   * domain has so many records.
   *
   * @param log where what it prints goes
   */
  static void behind(
      KafkaAccess kafka, String domain, long records, Path log, Class<?> main, String... more)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                kafka.bootstrapServers()));
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      CorpusEnds ends = new CorpusEnds(kafka);
      while (ends.of(List.of(domain)).get(domain).records() < records) {
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
      }
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }
}
