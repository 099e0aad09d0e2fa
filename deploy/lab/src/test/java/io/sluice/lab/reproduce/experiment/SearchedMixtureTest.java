package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.within;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.TestedModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class SearchedMixtureTest {
  private static final Scale SCALE = new Scale(1, 16, 2, 32, 4, 60, 10, 128, 64, 1e-2);
  private static final List<String> DOMAINS = List.of("a", "b", "c");
  private static final SearchedMixture SEARCH = new SearchedMixture(DOMAINS);

  /** Slopes of each domain's log loss above 1 by shares: the best mixture of all is known. */
  private static final double[][] SLOPES = {{-3, 0, 0}, {0, -1.5, 0}, {0, 0, -.5}};

  @Test
  void findsTheMixtureThatEndsBestInAWorldOfTheLaw() {
    Outcomes outcomes = ended(SearchedMixtureTest::lossesOf);
    Map<String, Double> found = SEARCH.best(outcomes).initial();
    double best = Double.POSITIVE_INFINITY;
    for (double a = 0; a <= 1; a += .01) {
      for (double b = 0; a + b <= 1; b += .01) {
        best = Math.min(best, mean(lossesOf(Map.of("a", a, "b", b, "c", 1 - a - b))));
      }
    }
    assertThat(mean(lossesOf(found))).isCloseTo(best, within(.01));
    assertThat(mean(lossesOf(found)))
        .isLessThan(mean(lossesOf(Map.of("a", 1 / 3.0, "b", 1 / 3.0, "c", 1 / 3.0))));
  }

  @Test
  void takesTheBestThatWasDrawnWhereNoLawHolds() {
    // Whatever laws make of it, only a mixture that was drawn ends well.
    Map<String, Double> lucky = SEARCH.arms(SCALE).get(7).mixture().apply(none()).initial();
    Outcomes outcomes = ended(mixture -> mixture.equals(lucky) ? losses(1, 1, 1) : losses(2, 2, 2));
    assertThat(SEARCH.best(outcomes).initial()).isEqualTo(lucky);
  }

  @Test
  void saysWhatItCosts() {
    double steps = SEARCH.arms(SCALE).stream().mapToDouble(Arm::steps).sum();
    assertThat(SearchedMixture.cost()).isEqualTo(steps / SCALE.steps());
  }

  @Test
  void aTunedPolicyHasTheValueThatEndedBestAndNoneWithoutOutcomes() {
    TunedPolicy policy =
        new TunedPolicy("grape", "eta", List.of(1.5, .5, 5.0), Map.of("every", 10));
    Map<String, Double> initial = Map.of("a", .5, "b", .5);
    Map<String, ArmOutcome> ended = new HashMap<>();
    for (Arm arm : policy.tried(SCALE, initial)) {
      ended.put(arm.name(), outcome(initial, losses(arm.name().endsWith("5p0") ? 1 : 2, 1, 1)));
    }
    Outcomes outcomes = new Outcomes(Map.of(), ended);
    assertThat(policy.best(outcomes)).isEqualTo(5);
    assertThat(policy.arm(SCALE, initial).mixture().apply(outcomes).policy())
        .isEqualTo(Map.of("grape", Map.of("every", 10, "eta", 5.0)));
    assertThatNullPointerException()
        .isThrownBy(() -> policy.arm(SCALE, initial).mixture().apply(none()))
        .withMessageContaining("grape-eta-1p5");
  }

  /** All arms of the search, each with the losses that its mixture has. */
  private static Outcomes ended(UnaryOperator<Map<String, Double>> losses) {
    Map<String, ArmOutcome> ended = new HashMap<>();
    for (Arm arm : SEARCH.arms(SCALE)) {
      Mixture mixture = arm.mixture().apply(Outcomes.of(ended));
      ended.put(arm.name(), outcome(mixture.initial(), losses.apply(mixture.initial())));
    }
    return new Outcomes(Map.of(), ended);
  }

  private static ArmOutcome outcome(Map<String, Double> weights, Map<String, Double> losses) {
    return new ArmOutcome(
        60,
        new TreeMap<>(Map.of(60L, losses)),
        new TreeMap<>(Map.of(1L, weights)),
        new TestedModel(Map.of(), Map.of()),
        Map.of(),
        "",
        true);
  }

  private static Map<String, Double> lossesOf(Map<String, Double> mixture) {
    double[] losses = new double[DOMAINS.size()];
    for (int i = 0; i < losses.length; i++) {
      for (int j = 0; j < losses.length; j++) {
        losses[i] += SLOPES[i][j] * mixture.getOrDefault(DOMAINS.get(j), 0.0);
      }
      losses[i] = 1 + Math.exp(losses[i]);
    }
    return losses(losses);
  }

  private static Map<String, Double> losses(double... values) {
    Map<String, Double> losses = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      losses.put(DOMAINS.get(i), values[i]);
    }
    return losses;
  }

  private static double mean(Map<String, Double> losses) {
    return Measures.mean(losses.values());
  }

  private static Outcomes none() {
    return Outcomes.of(Map.of());
  }
}
