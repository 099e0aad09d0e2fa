package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SignalTest {
  private final Signal signal = new Signal();

  @Test
  void waitsOnlyBetweenArmingAndRaising() {
    assertThat(signal.future()).isCompleted();
    signal.arm();
    var waiting = signal.future();
    assertThat(waiting).isNotDone();
    signal.arm();
    assertThat(signal.future()).as("one future for one wait").isSameAs(waiting);
    signal.raise();
    assertThat(waiting).isCompleted();
    signal.raise();
    signal.arm();
    assertThat(signal.future()).as("raised before it was armed").isNotDone();
  }
}
