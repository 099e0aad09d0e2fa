package io.sluice.jobs.mix.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PacerTest {
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private final Pacer pacer = new Pacer(0);

  /** How many go by a time, if as many as may do. */
  private int go(double perSecond, long millis) {
    int gone = 0;
    while (pacer.isOpen(perSecond, millis * MILLI)) {
      pacer.spend();
      gone++;
    }
    return gone;
  }

  @Test
  void keepsTheRateHoweverSeldomItIsAsked() {
    int gone = 0;
    for (long millis = 0; millis <= 60_000; millis += 100 + millis % 7) {
      gone += go(50, millis);
    }
    assertThat(gone).isBetween(2_990, 3_001);
  }

  @Test
  void aRateBelowOneASecondIsKept() {
    int gone = 0;
    for (long millis = 0; millis <= 100_000; millis += 100) {
      gone += go(.1, millis);
    }
    assertThat(gone).isBetween(10, 11);
  }

  @Test
  void whoWaitedForSomethingElseCatchesUpForOneSecond() {
    assertThat(go(50, 0)).isEqualTo(1);
    assertThat(go(50, 3_600_000)).isEqualTo(50);
    assertThat(go(50, 3_600_010)).isZero();
  }

  @Test
  void anotherRateHoldsAtOnce() {
    go(50, 10_000);
    assertThat(go(1_000, 10_500)).isEqualTo(500);
    assertThat(go(2, 10_900)).isZero();
    assertThat(go(2, 11_400)).isEqualTo(1);
  }
}
