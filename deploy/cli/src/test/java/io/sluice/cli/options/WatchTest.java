package io.sluice.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00.700Z");
  private static final Duration EVERY = Duration.ofSeconds(2);

  private final StringWriter out = new StringWriter();
  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = START;

  @AfterEach
  void wake() {
    assertThat(Thread.interrupted()).as("whoever stops it is not forgotten").isTrue();
  }

  @Test
  void elsewhereOneBlockFollowsAnother() {
    watch(false, List.of("r: running", "  granted 1"), List.of("r: completed"));
    assertThat(out)
        .hasToString(
            """
            as of 2026-01-01T12:00:00Z
            r: running
              granted 1

            as of 2026-01-01T12:00:02Z
            r: completed
            """);
    assertThat(pauses).containsOnly(EVERY);
  }

  @Test
  void onATerminalEachIsWrittenOverTheOneBefore() {
    watch(true, List.of("r: running", "  granted 1"), List.of("r: completed"));
    assertThat(out)
        .hasToString(
            """
            \u001b[H\u001b[2Jas of 2026-01-01T12:00:00Z\u001b[K
            r: running\u001b[K
              granted 1\u001b[K
            \u001b[J\u001b[Has of 2026-01-01T12:00:02Z\u001b[K
            r: completed\u001b[K
            \u001b[J\
            """);
  }

  private void watch(boolean inPlace, List<String> first, List<String> second) {
    Deque<List<String>> looks = new ArrayDeque<>(List.of(first, second));
    new Watch(
            new PrintWriter(out, true),
            inPlace,
            EVERY,
            () -> now,
            time -> {
              pauses.add(time);
              now = now.plus(time);
              if (looks.isEmpty()) {
                throw new InterruptedException();
              }
            })
        .run(looks::remove);
  }
}
