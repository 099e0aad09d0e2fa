package io.sluice.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpCommandStopTest {
  @TempDir private Path directory;

  @Test
  void aServiceThatIsStoppedWhileItStartsSaysSoAndNothingElse() throws Exception {
    assertThat(said(Process::destroy)).isEqualTo("sluice: stopped\n");
  }

  @Test
  void aServiceThatHoldsItsInputStopsWithIt() throws Exception {
    assertThat(said(UpCommandStopTest::endInput, "--end-with-input"))
        .isEqualTo("sluice: stopped\n");
  }

  private static void endInput(Process up) {
    try {
      up.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a service prints that is stopped as soon as it asks its Kafka. */
  private String said(Consumer<Process> stop, String... options) throws Exception {
    Path out = directory.resolve("out");
    try (ServerSocket kafka = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Dsluice.home=" + directory.resolve("home"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.sluice.cli.Sluice",
                  "up",
                  "--kafka",
                  "127.0.0.1:" + kafka.getLocalPort()));
      command.addAll(List.of(options));
      Process up =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      kafka.accept().close();
      stop.accept(up);
      up.waitFor();
    }
    return Files.readString(out);
  }
}
