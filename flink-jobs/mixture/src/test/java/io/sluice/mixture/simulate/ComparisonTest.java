package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.replay.LossReplay;
import io.sluice.mixture.simulate.scenario.Model;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final Scenario STACK = Scenarios.named("system-stack").inSteps(3000, 30);

  private static Candidate candidate(String policy) {
    return new Candidate(policy, policy, Map.of(), Map.of());
  }

  @Test
  void alwaysHasTheStaticMixtureTheOracleAndEachPolicysAverage() {
    Comparison comparison =
        Comparison.of(
            STACK, List.of(candidate("velocitune"), candidate("dga")), 7, () -> Proposals.NONE);
    assertThat(comparison.entries())
        .extracting(Comparison.Entry::label)
        .containsExactly(
            "static", "velocitune", "average of velocitune", "dga", "average of dga", "oracle");
    Comparison.Entry still = comparison.entries().get(0);
    Comparison.Entry velocitune = comparison.entries().get(1);
    Comparison.Entry average = comparison.entries().get(2);
    Comparison.Entry oracle = comparison.entries().get(5);
    assertThat(still.batchesToTarget()).hasValue(3000);
    assertThat(still.trajectory().finalLosses()).isEqualTo(comparison.targets());
    assertThat(velocitune.velocitySpread()).isLessThan(still.velocitySpread());
    assertThat(average.trajectory().churn()).isZero();
    assertThat(average.trajectory().averageShares())
        .containsExactly(velocitune.trajectory().averageShares(), within(1e-9));
    assertThat(oracle.gapToOracle()).isZero();
    assertThat(still.gapToOracle()).isPositive();
    assertThat(oracle.batchesToTarget().orElseThrow()).isLessThan(3000);
  }

  @Test
  void countsATargetSetForImportanceSamplingUnlessItHasAHistogram() {
    Scenario scenario = STACK.startingWith(Weights.ofShares(1, 2, 3));
    Candidate own =
        new Candidate("own", "importance-sampling", Map.of("histogram.blogs", "5"), Map.of());
    Comparison comparison =
        Comparison.of(
            scenario, List.of(candidate("importance-sampling"), own), 7, () -> Proposals.NONE);
    assertThat(comparison.entries().get(1).trajectory().averageShares())
        .containsExactly(scenario.objective(), within(.1))
        .isNotEqualTo(scenario.objective());
    assertThat(comparison.entries().get(2).trajectory().averageShares())
        .containsExactly(new double[] {0, 1, 0}, within(1e-9));
  }

  @Test
  void guardsACandidateAsARunIsGuarded() {
    Candidate guarded = new Candidate("held", "dga", Map.of(), Map.of("largest-change", "0.001"));
    Comparison comparison =
        Comparison.of(STACK, List.of(candidate("dga"), guarded), 7, () -> Proposals.NONE);
    assertThat(comparison.entries().get(3).trajectory().churn())
        .isLessThan(comparison.entries().get(1).trajectory().churn() / 2);
  }

  @Test
  void takesTheSameTokensInOtherSteps() {
    Scenario coarse = Scenarios.named("system-stack").inSteps(7, 3);
    assertThat(coarse.totalTokens())
        .isCloseTo(Scenarios.named("system-stack").totalTokens(), within(1e-9));
    Trajectory trajectory = SimulationTest.run(coarse, "static", Map.of(), 1);
    assertThat(trajectory.points())
        .extracting(Trajectory.Point::batch)
        .containsExactly(0L, 3L, 6L, 7L);
    assertThatThrownBy(() -> coarse.inSteps(0, 1)).hasMessage("steps must be in [1, 10000000]: 0");
    assertThatThrownBy(() -> coarse.inSteps(5, 6)).hasMessage("every must be in [1, 5]: 6");
  }

  @Test
  void replayingARunsOwnLossesRepeatsItsWeights() {
    Scenario exact =
        new Scenario(
            STACK.name(),
            STACK.domains(),
            STACK.learners(),
            STACK.transfer(),
            new Scenario.Noise(0, 0),
            STACK.initial(),
            STACK.objective(),
            STACK.batches(),
            STACK.updateEvery(),
            STACK.tokensPerBatch(),
            List.of(),
            Model.LAWS);
    Map<String, String> settings = Map.of("target-fraction", "0.9");
    Trajectory run = SimulationTest.run(exact, "velocitune", settings, 1);
    TreeMap<Long, double[]> losses = new TreeMap<>();
    run.points().forEach(point -> losses.put(point.batch(), point.losses()));
    Candidate candidate = new Candidate("v", "velocitune", settings, Map.of());
    List<Trajectory.Point> replayed =
        LossReplay.run(candidate, exact.domains(), exact.initial(), losses);
    assertThat(replayed).hasSameSizeAs(run.points());
    for (int n = 0; n < replayed.size(); n++) {
      assertThat(replayed.get(n).shares())
          .containsExactly(run.points().get(n).shares(), within(1e-9));
    }
    assertThat(Trajectory.churn(replayed)).isCloseTo(run.churn(), within(1e-6));
  }

  @Test
  void replaysPerplexitiesAndRefusesWhatLossesDoNotTell() {
    TreeMap<Long, double[]> losses = new TreeMap<>();
    losses.put(0L, new double[] {2, 2});
    losses.put(10L, new double[] {1, 2.1});
    losses.put(20L, new double[] {1, Double.NaN});
    List<String> domains = List.of("a", "b");
    Candidate topics =
        new Candidate("t", "topic-perplexity", Map.of("metric", "perplexity"), Map.of());
    List<Trajectory.Point> points = LossReplay.run(topics, domains, Weights.uniform(2), losses);
    assertThat(points.get(1).shares()).containsExactly(.5, .5);
    assertThat(points.get(2).shares()[1]).isGreaterThan(.6);
    assertThat(Arrays.stream(points.get(2).shares()).sum()).isCloseTo(1, within(1e-9));
    assertThatThrownBy(() -> LossReplay.run(candidate("dga"), domains, Weights.uniform(2), losses))
        .hasMessage(
            "policy dga must need nothing but held-out losses to be replayed: it needs alignment");
  }
}
