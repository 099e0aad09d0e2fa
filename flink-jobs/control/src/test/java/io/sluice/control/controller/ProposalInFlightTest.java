package io.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.log.InvariantViolatedException;
import org.junit.jupiter.api.Test;

class ProposalInFlightTest {
  private final ProposalInFlight inFlight = new ProposalInFlight();

  @Test
  void onlyTheNextEntryOfTheLogIsEverSent() {
    inFlight.sent(0, 1_000);
    inFlight.follow(0);
    inFlight.sent(1, 1_000);
    inFlight.sent(1, 7_000);
    assertThat(inFlight.waiting())
        .isEqualTo("control log: entry 1 was sent 2 times and not read back");
    assertBroken(0);
    assertBroken(2);
    inFlight.follow(1);
    assertBroken(1);
  }

  private void assertBroken(long serial) {
    assertThatThrownBy(() -> inFlight.sent(serial, 9_000))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessageMatching("serial of a proposal must be [12]: " + serial);
  }
}
