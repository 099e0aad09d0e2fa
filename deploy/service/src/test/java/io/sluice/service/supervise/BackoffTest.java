package io.sluice.service.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(20));

  @Test
  void doublesThePauseUpToTheLongest() {
    Duration pause = Duration.ZERO;
    long[] millis = new long[5];
    for (int i = 0; i < millis.length; i++) {
      pause = BACKOFF.after(pause, Duration.ofSeconds(1), i % 2 == 0);
      millis[i] = pause.toMillis();
    }
    assertThat(millis).containsExactly(200, 400, 800, 1000, 1000);
  }

  @Test
  void beginsAnewAfterALongLife() {
    assertThat(BACKOFF.after(Duration.ofSeconds(1), Duration.ofSeconds(20), true))
        .isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void whatEndsByItselfTimeAndAgainPausesLonger() {
    Duration half = Duration.ofMillis(400);
    assertThat(BACKOFF.after(half, Duration.ofSeconds(59), false))
        .isEqualTo(Duration.ofMillis(800));
    assertThat(BACKOFF.after(half, Duration.ofSeconds(60), false))
        .isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void refusesPausesThatMakeNoSense() {
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO))
        .hasMessage("the first pause must be at least 1 ms and at most the longest: PT0S, PT1S");
  }
}
