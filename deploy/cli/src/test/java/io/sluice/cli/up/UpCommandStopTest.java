package io.sluice.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpCommandStopTest {
  @TempDir private Path directory;

  @Test
  void aServiceThatIsStoppedWhileItStartsSaysSoAndNothingElse() throws Exception {
    Path out = directory.resolve("out");
    try (ServerSocket kafka = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Process up =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Dsluice.home=" + directory.resolve("home"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.sluice.cli.Sluice",
                  "up",
                  "--kafka",
                  "127.0.0.1:" + kafka.getLocalPort())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      kafka.accept().close();
      up.destroy();
      up.waitFor();
    }
    assertThat(out).hasContent("sluice: stopped");
  }
}
