package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EstimatesTest {
  private static Scenario withStage(Scenario scenario, double after) {
    double[] taught = new double[scenario.domains().size()];
    Arrays.fill(taught, 1);
    return new Scenario(
        scenario.name(),
        scenario.domains(),
        scenario.learners(),
        scenario.transfer(),
        scenario.noise(),
        scenario.initial(),
        scenario.objective(),
        scenario.batches(),
        scenario.updateEvery(),
        scenario.tokensPerBatch(),
        List.of(new Scenario.Stage(after * scenario.totalTokens(), .5, taught)),
        scenario.model());
  }

  @Test
  void knowNothingOfTheRunBeyondSixtyPercentOfItsTokens() {
    Scenario scenario = Scenarios.named("system-stack");
    double[] targets = Estimates.targets(new Trial(scenario, 7));
    assertThat(Estimates.targets(new Trial(withStage(scenario, .61), 7))).isEqualTo(targets);
    assertThat(Estimates.targets(new Trial(withStage(scenario, .3), 7))).isNotEqualTo(targets);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reasoning", "system-stack", "syne"})
  void areNearWhatStaticEndsWithAndNotThat(String name) {
    Trial trial = new Trial(Scenarios.named(name), 7);
    double[] targets = Estimates.targets(trial);
    double[] ends = trial.constant(trial.scenario().initial()).finalLosses();
    for (int i = 0; i < ends.length; i++) {
      assertThat(Math.abs(targets[i] - ends[i])).isBetween(1e-6, .1);
    }
    assertThat(Estimates.targets(new Trial(trial.scenario(), 8))).isNotEqualTo(targets);
    assertThat(Estimates.targets(new Trial(trial.scenario(), 7))).isEqualTo(targets);
  }

  @Test
  void countDocumentsOfTheTargetSet() {
    Trial trial = new Trial(Scenarios.named("known-mixture"), 7);
    double[] counts = Estimates.histogram(trial);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(500);
    for (int i = 0; i < counts.length; i++) {
      double expected = 500 * trial.scenario().objective()[i];
      assertThat(counts[i]).isNotEqualTo(expected).isBetween(expected / 2, expected * 2);
    }
  }

  @Test
  void areNotAskedByWhoeverNamesTargetsOfItsOwn() {
    Trial trial = new Trial(Scenarios.named("system-stack").inSteps(300, 30), 7);
    Candidate plain = new Candidate("v", "velocitune", Map.of(), Map.of());
    Candidate own = new Candidate("o", "velocitune", Map.of("target-fraction", "0.8"), Map.of());
    assertThat(trial.of(own, () -> Proposals.NONE).averageShares())
        .isNotEqualTo(trial.of(plain, () -> Proposals.NONE).averageShares());
  }
}
