package io.sluice.lab.reproduce.arm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ArmOutcomeTest {
  @Test
  void averagesWeightsOverTheBatchesThatTheyGovern() {
    assertThat(TestingOutcomes.sound().averageWeights()).isEqualTo(Map.of("a", .75, "b", .25));
  }

  @Test
  void knowsWhatCameFirstAndLast() {
    ArmOutcome outcome = TestingOutcomes.sound();
    assertThat(outcome.firstLosses()).isEqualTo(Map.of("a", 3.0, "b", 3.0));
    assertThat(outcome.lastLosses()).isEqualTo(Map.of("a", 2.2, "b", 2.5));
    assertThat(outcome.lastWeights()).isEqualTo(Map.of("a", 1.0, "b", 0.0));
  }
}
