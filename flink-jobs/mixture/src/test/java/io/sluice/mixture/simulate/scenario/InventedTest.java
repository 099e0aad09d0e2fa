package io.sluice.mixture.simulate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InventedTest {
  static List<String> scenarios() {
    return Scenarios.names();
  }

  @Test
  void namesWhatOfAScenarioIsInvented() {
    assertThat(Invented.names(Scenarios.named("reasoning")))
        .containsExactly(
            "alignment-noise",
            "coefficient",
            "exponent",
            "floor",
            "forgetting",
            "head",
            "head-forgetting",
            "most-aligned",
            "noise",
            "overfit-after",
            "overfit-slope",
            "repeat-value",
            "transfer");
    assertThat(Invented.names(Scenarios.named("syne"))).contains("plateau", "stage-transfer");
    assertThat(Invented.names(Scenarios.named("low-data")))
        .containsExactly("common", "conflict", "noise", "parameters", "samples", "step");
    assertThat(Invented.names(Scenarios.named("known-mixture")))
        .containsExactly("alignment-noise", "beginning", "centres", "noise", "rate");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void changesEachOfThemAndNothingWithAFactorOfOne(String name) {
    Scenario scenario = Scenarios.named(name);
    List<Double> as = trained(Invented.scaled(scenario, any -> 1));
    assertThat(as).isEqualTo(trained(scenario));
    for (String constant : Invented.names(scenario)) {
      Scenario half = Invented.scaled(scenario, each -> each.equals(constant) ? .5 : 1);
      if (constant.contains("noise")) {
        assertThat(half.noise()).isNotEqualTo(scenario.noise());
      } else {
        assertThat(trained(half)).as(constant).isNotEqualTo(as);
      }
    }
  }

  /** What comes of a mixture of which one domain is repeated. */
  private static List<Double> trained(Scenario scenario) {
    Learners learners = Learners.of(scenario, 7);
    List<Double> objectives = new ArrayList<>();
    double[] tokens = new double[scenario.domains().size()];
    int parts = learners.isCostly() ? 1000 : 40;
    for (int call = 0; call < 40; call++) {
      Arrays.fill(tokens, .1 * scenario.totalTokens() / parts / tokens.length);
      tokens[1] += .9 * scenario.totalTokens() / parts;
      learners.train(tokens);
      objectives.add(scenario.objectiveOf(learners.losses(tokens.length)));
      objectives.add(Arrays.stream(learners.alignments()).sum());
    }
    return objectives;
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void staysInRangeWhateverTheFactors(String name) {
    SplittableRandom random = new SplittableRandom(5);
    for (int n = 0; n < 20; n++) {
      Scenario drawn =
          Invented.scaled(Scenarios.named(name), any -> Math.pow(8, 2 * random.nextDouble() - 1));
      assertThat(drawn.domains()).isEqualTo(Scenarios.named(name).domains());
      assertThat(drawn.totalTokens()).isEqualTo(Scenarios.named(name).totalTokens());
    }
  }
}
