package io.sluice.service.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private long wall = 1_000_000;
  private long passed = 7;
  private final ClockWatch watch = new ClockWatch(() -> wall, () -> passed * 1_000_000);

  private Duration after(long millis, long ahead) {
    passed += millis;
    wall += millis + ahead;
    return watch.setBack();
  }

  @Test
  void aClockThatGoesOnWasNotSetBack() {
    assertThat(after(500, 0)).isZero();
    assertThat(after(90_000, 0)).isZero();
  }

  @Test
  void onlyWhatHappenedSinceTheLastLookCounts() {
    assertThat(after(500, 3_600_000)).isEqualTo(Duration.ofHours(-1));
    assertThat(after(500, 0)).isZero();
    assertThat(after(500, -3_600_000)).isEqualTo(Duration.ofHours(1));
    assertThat(after(500, 0)).isZero();
  }
}
