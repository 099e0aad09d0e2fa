package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.simulate.scenario.Invented;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OracleTest {
  private static final double TOLERANCE = 2e-4;

  private static final List<Candidate> POLICIES =
      List.of(
          new Candidate("v", "velocitune", Map.of("target-fraction", "0.85"), Map.of()),
          new Candidate("d", "dga", Map.of("beta", "1"), Map.of()),
          new Candidate("o", "odm", Map.of("warm-up", "0"), Map.of()),
          new Candidate("i", "importance-sampling", Map.of(), Map.of()));

  /** That no average of a policy ends below an oracle that was told of none of them. */
  private static void assertBest(Scenario scenario, String what) {
    Trial trial = new Trial(scenario, 7);
    double best = trial.constant(Weights.ofShares(Oracle.weights(trial, List.of()))).objective();
    for (Run run : Run.of(trial, POLICIES, () -> Proposals.NONE)) {
      if (run.trajectory().churn() == 0) {
        assertThat(run.trajectory().objective())
            .as("%s of %s, %s", run.label(), scenario.name(), what)
            .isGreaterThan(best - TOLERANCE);
      }
    }
  }

  private static void assertBest(Scenario scenario, String what, ToDoubleFunction<String> factors) {
    assertBest(Invented.scaled(scenario, factors), what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reasoning", "system-stack", "syne", "bilingual", "known-mixture"})
  void noConstantMixtureIsBetterWhateverIsInvented(String name) {
    Scenario scenario = Scenarios.named(name).inSteps(400, 20);
    assertBest(scenario, "as it is");
    assertBest(scenario, "forgetting x 3", each -> each.equals("forgetting") ? 3 : 1);
    assertBest(scenario, "all forgetting x 10", each -> each.endsWith("forgetting") ? 10 : 1);
    assertBest(scenario, "repeats without value", each -> each.equals("repeat-value") ? .1 : 1);
    SplittableRandom random = new SplittableRandom(5);
    assertBest(scenario, "drawn", any -> Math.pow(2, 2 * random.nextDouble() - 1));
  }

  @Test
  void isAtLeastAsGoodAsWhatItIsToldWhereRunsAreCostly() {
    Scenario scenario = Scenarios.named("low-data").inSteps(400, 20);
    Comparison comparison =
        Comparison.of(scenario, POLICIES.subList(1, 4), 7, () -> Proposals.NONE);
    assertThat(comparison.entries().get(0).gapToOracle()).isGreaterThan(.01);
    for (Comparison.Entry entry : comparison.entries()) {
      if (entry.trajectory().churn() == 0) {
        assertThat(entry.gapToOracle()).as(entry.label()).isNotNegative();
      }
    }
  }
}
