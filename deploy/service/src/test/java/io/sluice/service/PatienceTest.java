package io.sluice.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void isNeverShorterThanOnAnIdleMachine() {
    assertThat(Patience.of(Duration.ofSeconds(3))).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    assertThat(Patience.factor()).isBetween(1.0, 30.0);
  }

  @Test
  void takesItsFactorFromTheVariable() {
    assertThat(Patience.parse("2.5")).isEqualTo(2.5);
    assertThatThrownBy(() -> Patience.parse("0.5"))
        .hasMessage("SLUICE_PATIENCE must be a number in [1, 30.0]: '0.5'");
    assertThatThrownBy(() -> Patience.parse("long"))
        .hasMessage("SLUICE_PATIENCE must be a number in [1, 30.0]: 'long'");
  }

  @Test
  void looksUntilItSeesWhatItWants() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(Patience.await(Duration.ofMinutes(1), looks::incrementAndGet, n -> n == 3))
        .isEqualTo(3);
  }

  @Test
  void failsWithTheLastThatItSaw() {
    assertThatThrownBy(() -> Patience.await(Duration.ZERO, () -> "nothing", "all"::equals))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("after PT")
        .hasMessageEndingWith(" still nothing");
  }
}
