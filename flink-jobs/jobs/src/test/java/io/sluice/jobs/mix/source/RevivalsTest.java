package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RevivalsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Revivals revivals = new Revivals();
  private final MixSplit split = new TestingRun("a", 1).split();
  private final MixSplit other = new TestingRun("b", 1, 107).split();

  @Test
  void triesAgainAfterEachPauseAndKeepsTheSplitUntilThen() {
    assertThat(revivals.isDue(Long.MAX_VALUE / 2)).isFalse();
    assertThat(revivals.fail(split, 0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(revivals.snapshot()).containsExactly(split);
    assertThat(revivals.isDue(SECOND - 1)).isFalse();
    assertThat(revivals.take(SECOND - 1)).isEmpty();
    assertThat(revivals.isDue(SECOND)).isTrue();
    assertThat(revivals.take(SECOND)).containsExactly(split);
    assertThat(revivals.isDue(SECOND)).isFalse();
    assertThat(revivals.snapshot()).isEmpty();
  }

  @Test
  void pausesTwiceAsLongEachTimeUpToAMinute() {
    long now = 0;
    Duration pause = Duration.ZERO;
    for (int failure = 0; failure < 10; failure++) {
      pause = revivals.fail(split, now);
      now += pause.toNanos();
      assertThat(revivals.take(now)).containsExactly(split);
    }
    assertThat(pause).isEqualTo(Revivals.LONGEST);
    assertThat(revivals.fail(split, now + 121 * SECOND)).isEqualTo(Revivals.FIRST);
  }

  @Test
  void keepsSplitsApart() {
    revivals.fail(split, 0);
    revivals.fail(split, SECOND);
    revivals.fail(other, SECOND);
    assertThat(revivals.take(2 * SECOND)).containsExactly(other);
    assertThat(revivals.snapshot()).containsExactly(split);
    assertThat(revivals.take(3 * SECOND)).containsExactly(split);
  }
}
