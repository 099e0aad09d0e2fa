package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EvenTimeTest {
  private static final long HOUR = 3_600_000;

  private long passed;
  private final EvenTime time = new EvenTime(() -> TimeUnit.MILLISECONDS.toNanos(passed));

  private long after(long millis, long wall) {
    passed += millis;
    return time.millis(wall);
  }

  @Test
  void isTheWallClocksAsLongAsThatGoesOnEvenly() {
    assertThat(after(5, 1_000)).isEqualTo(1_000);
    assertThat(after(20, 1_020)).isEqualTo(1_020);
    assertThat(after(0, 1_020)).isEqualTo(1_020);
  }

  @Test
  void aJumpIsMadeUpForByATenthOfWhatPasses() {
    assertThat(after(0, HOUR)).isEqualTo(HOUR);
    assertThat(after(1_000, 2 * HOUR)).isEqualTo(HOUR + 1_100);
    assertThat(after(1_000, 0)).isEqualTo(HOUR + 2_000);
    assertThat(after(1_000, 0)).isEqualTo(HOUR + 2_900);
    assertThat(after(10 * HOUR, 12 * HOUR)).isEqualTo(12 * HOUR);
  }
}
