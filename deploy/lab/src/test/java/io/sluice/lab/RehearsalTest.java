package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.run.ManageRunsCommand;
import io.sluice.lab.bench.BenchCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RehearsalTest {
  @TempDir private Path directory;

  @Test
  void loadsWhatCommandsLoadWithoutAKafka() throws Exception {
    Path log = directory.resolve("loaded.log");
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dsluice.home=" + directory.resolve("home"),
                "-Xlog:class+load=info:file=" + log,
                "-cp",
                System.getProperty("java.class.path"),
                Rehearsal.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(out)).isZero();
    assertThat(out).isEmptyFile();
    assertThat(Files.readString(log))
        .contains(
            Stream.of(ManageRunsCommand.class, BenchCommand.class, KafkaConsumer.class, Admin.class)
                .map(type -> type.getName() + " ")
                .toList());
  }
}
