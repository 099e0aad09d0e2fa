package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.split.MixSplit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RestartBackoffTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final RestartBackoff restarts = new RestartBackoff();
  private final MixSplit split = new TestingRun("a", 1).split();
  private final MixSplit other = new TestingRun("b", 1, 107).split();

  @Test
  void triesAgainAfterEachPauseAndKeepsTheSplitUntilThen() {
    assertThat(restarts.isDue(Long.MAX_VALUE / 2)).isFalse();
    assertThat(restarts.fail(split, 0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(restarts.snapshot()).containsExactly(split);
    assertThat(restarts.isDue(SECOND - 1)).isFalse();
    assertThat(restarts.take(SECOND - 1)).isEmpty();
    assertThat(restarts.isDue(SECOND)).isTrue();
    assertThat(restarts.take(SECOND)).containsExactly(split);
    assertThat(restarts.isDue(SECOND)).isFalse();
    assertThat(restarts.snapshot()).isEmpty();
  }

  @Test
  void pausesTwiceAsLongEachTimeUpToAMinute() {
    long now = 0;
    Duration pause = Duration.ZERO;
    for (int failure = 0; failure < 10; failure++) {
      pause = restarts.fail(split, now);
      now += pause.toNanos();
      assertThat(restarts.take(now)).containsExactly(split);
    }
    assertThat(pause).isEqualTo(RestartBackoff.LONGEST);
    assertThat(restarts.fail(split, now + 121 * SECOND)).isEqualTo(RestartBackoff.FIRST);
  }

  @Test
  void keepsSplitsApart() {
    restarts.fail(split, 0);
    restarts.fail(split, SECOND);
    restarts.fail(other, SECOND);
    assertThat(restarts.take(2 * SECOND)).containsExactly(other);
    assertThat(restarts.snapshot()).containsExactly(split);
    assertThat(restarts.take(3 * SECOND)).containsExactly(split);
  }
}
