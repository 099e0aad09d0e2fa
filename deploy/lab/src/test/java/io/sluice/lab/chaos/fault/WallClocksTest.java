package io.sluice.lab.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.service.supervise.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WallClocksTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path directory;

  /** Says the time, by both clocks, whenever it is asked. */
  static final class Speaker {
    private Speaker() {}

    public static void main(String[] args) throws IOException {
      while (System.in.read() == '\n') {
        System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
      }
    }
  }

  @Test
  void theWallClockOfOneProcessIsWrongAndNoOther() throws Exception {
    Optional<WallClocks> possible = WallClocks.in(directory);
    assumeTrue(possible.isPresent());
    assertThat(WallClocks.arePossible()).isTrue();
    WallClocks clocks = possible.get();
    try (Asked wrong = new Asked(clocks);
        Asked right = new Asked(clocks)) {
      assertThat(wrong.millisAhead()).isBetween(-60_000L, 60_000L);
      clocks.set(wrong.process.pid(), HOUR);
      assertThat(wrong.millisAhead()).isBetween(3_540_000L, 3_660_000L);
      assertThat(right.millisAhead()).isBetween(-60_000L, 60_000L);
      clocks.set(wrong.process.pid(), HOUR.negated());
      assertThat(wrong.millisAhead()).isBetween(-3_660_000L, -3_540_000L);
      clocks.set(wrong.process.pid(), Duration.ZERO);
      assertThat(wrong.millisAhead()).isBetween(-60_000L, 60_000L);
      clocks.set(ProcessHandle.current().pid(), HOUR);
    }
  }

  private static final class Asked implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    Asked(WallClocks clocks) throws IOException {
      ProcessBuilder builder =
          new JavaProcess(Speaker.class.getName(), List.of("-Xshare:auto"), List.of())
              .builder(List.of());
      builder.environment().putAll(clocks.environment());
      process = builder.start();
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** By the clock that no process can be told otherwise. */
    long millisAhead() throws IOException {
      long zero = System.currentTimeMillis() - System.nanoTime() / 1_000_000;
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      String[] said = answers.readLine().split(" ", -1);
      return Long.parseLong(said[0]) - Long.parseLong(said[1]) / 1_000_000 - zero;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
