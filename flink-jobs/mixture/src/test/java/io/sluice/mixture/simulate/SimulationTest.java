package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.smoothing.Guards;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  static Trajectory run(Scenario scenario, String policy, Map<String, String> settings, long seed) {
    Learners learners = Learners.of(scenario, seed);
    return Simulation.run(scenario, policy, settings, Guards.NONE, learners, seed, Proposals.NONE);
  }

  private static Trajectory run(String scenario, String policy, Map<String, String> settings) {
    return run(Scenarios.named(scenario), policy, settings, 7);
  }

  /** Targets as Velocitune has them: what training with the initial weights would reach. */
  private static double[] targets(String scenario) {
    return run(scenario, "static", Map.of()).finalLosses();
  }

  private static Map<String, String> targetSettings(String scenario) {
    Map<String, String> settings = new TreeMap<>();
    double[] targets = targets(scenario);
    List<String> domains = Scenarios.named(scenario).domains();
    for (int i = 0; i < targets.length; i++) {
      settings.put("targets." + domains.get(i), Double.toString(targets[i]));
    }
    return settings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"reasoning", "system-stack"})
  void velocituneBringsDomainsToTheirTargetsMoreEvenly(String scenario) {
    double[] targets = targets(scenario);
    Map<String, String> settings = targetSettings(scenario);
    double spread = run(scenario, "velocitune", settings).velocitySpread(targets);
    assertThat(spread)
        .isLessThan(run(scenario, "static", Map.of()).velocitySpread(targets))
        .isLessThan(run(scenario, "dynamic-batch-loading", settings).velocitySpread(targets));
  }

  @Test
  void velocituneWithoutTargetsGivesOneDomainEverything() {
    Trajectory trajectory = run("reasoning", "velocitune", Map.of("use-target", "false"));
    Trajectory.Point last = trajectory.points().get(trajectory.points().size() - 1);
    assertThat(last.shares()[4]).isGreaterThan(.95);
    assertThat(trajectory.objective())
        .isGreaterThan(run("reasoning", "static", Map.of()).objective());
  }

  @ParameterizedTest
  @ValueSource(strings = {"reasoning", "system-stack", "low-data", "syne"})
  void nothingIsMuchBetterThanTheOracle(String scenario) {
    double[] weights =
        Oracle.weights(Scenarios.named(scenario), Learners.of(Scenarios.named(scenario), 7));
    double oracle = run(scenario, "recorded", recorded(scenario, weights)).objective();
    for (String policy : List.of("static", "dga", "odm", "topic-perplexity")) {
      assertThat(run(scenario, policy, Map.of()).objective()).isGreaterThan(oracle - 5e-3);
    }
  }

  @Test
  void repeatsAPolicysAverageAsAStaticMixture() {
    double[] average = run("system-stack", "dga", Map.of()).averageShares();
    Trajectory repeated = run("system-stack", "recorded", recorded("system-stack", average));
    assertThat(repeated.churn()).isLessThan(1e-9);
    assertThat(repeated.averageShares())
        .containsExactly(average, org.assertj.core.api.Assertions.offset(1e-9));
  }

  @Test
  void repeatsItselfExactly() {
    Trajectory one = run("system-stack", "ado", Map.of());
    Trajectory other = run("system-stack", "ado", Map.of());
    assertThat(other.finalLosses()).isEqualTo(one.finalLosses());
    assertThat(one.batchesTo(one.points().get(3).losses()[0] + 10)).hasValue(0);
    assertThat(one.batchesTo(0)).isEmpty();
  }

  @Test
  void forgetsWhatIsNotReplayedAndOverfitsWhatIsRepeated() {
    Scenario scenario = Scenarios.named("reasoning");
    Learners forgetting = Learners.of(scenario, 7);
    forgetting.train(new double[] {0, 0, 0, 1, 0});
    double learnt = forgetting.loss(3);
    forgetting.train(new double[] {20, 0, 0, 0, 0});
    assertThat(forgetting.loss(3)).isGreaterThan(learnt);
    Learners repeating = Learners.of(scenario, 7);
    double best = Double.POSITIVE_INFINITY;
    for (int n = 0; n < 100; n++) {
      repeating.train(new double[] {0, 0, 0, 0, 1});
      best = Math.min(best, repeating.loss(4));
    }
    assertThat(repeating.loss(4)).isGreaterThan(best + .1);
  }

  @Test
  void showsNothingOnAPlateau() {
    LearnerLaw late = new LearnerLaw(LearnerLaw.of(1, 1, .5, 1, 10).law(), 1, 10, 0, 2);
    Scenario scenario =
        new Scenario(
            "late",
            List.of("a"),
            List.of(late),
            new double[][] {{1}},
            0,
            io.sluice.mixture.plan.Weights.uniform(1),
            new double[] {1},
            10,
            5,
            .1,
            List.of(),
            Model.LAWS);
    Learners learners = Learners.of(scenario, 7);
    learners.train(new double[] {2});
    assertThat(learners.loss(0)).isEqualTo(2);
    learners.train(new double[] {1});
    assertThat(learners.loss(0)).isLessThan(2);
  }

  @Test
  void mixesDataOfNoDomainInDuringItsStage() {
    Scenario scenario = Scenarios.named("syne");
    Learners learners = Learners.of(scenario, 7);
    double[] others = new double[11];
    others[10] = 92.5;
    learners.train(others);
    double before = learners.loss(1);
    others[10] = 7.5;
    learners.train(others);
    assertThat(learners.loss(1)).isLessThan(before - .01);
    assertThat(run("syne", "topic-perplexity", Map.of()).points()).hasSize(4);
    assertThatThrownBy(() -> new Scenario.Stage(1, 1, new double[11]))
        .hasMessage("a stage's share must be in [0, 1): 1.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0.1"})
  void gradientAlignmentRecoversAKnownTargetMixture(String beta) {
    Trajectory trajectory = run("known-mixture", "dga", Map.of("beta", beta));
    double[] last = trajectory.points().get(trajectory.points().size() - 1).shares();
    assertThat(trajectory.scenario().distanceToTarget(last)).isLessThan(.05);
    double[] oracle = Oracle.weights(trajectory.scenario(), Learners.of(trajectory.scenario(), 7));
    assertThat(trajectory.scenario().distanceToTarget(oracle)).isLessThan(.05);
  }

  @Test
  void simulatesTheAlignmentsOfDistributions() {
    List<String> domains = Scenarios.named("system-stack").domains();
    Map<String, String> basis = new TreeMap<>();
    domains.forEach(domain -> basis.put("basis." + domain, domain + "=1"));
    Trajectory single = run("system-stack", "dga-distribution", basis);
    assertThat(single.points().get(0).shares())
        .containsExactly(
            new double[] {1 / 3., 1 / 3., 1 / 3.}, org.assertj.core.api.Assertions.offset(1e-9));
    assertThat(single.objective()).isLessThan(run("system-stack", "static", Map.of()).objective());
    Map<String, String> pair = Map.of("basis.both", domains.get(0) + "=1 " + domains.get(1) + "=1");
    assertThat(run("system-stack", "dga-distribution", pair).averageShares())
        .containsExactly(new double[] {.5, .5, 0}, org.assertj.core.api.Assertions.offset(1e-9));
  }

  @Test
  void endsAnEstimationWhenItHasWhatItWasFor() {
    Trajectory trajectory = run("system-stack", "estimate-targets", Map.of("cap", "0.4"));
    long last = trajectory.points().get(trajectory.points().size() - 1).batch();
    assertThat(last).isLessThanOrEqualTo(Math.round(.4 * 103 * 150) + 150).isPositive();
    assertThat(trajectory.churn()).isZero();
  }

  @Test
  void saysWhatItCannotSimulate() {
    assertThatThrownBy(() -> Scenarios.named("easy"))
        .hasMessage(
            "scenario must be one of [bilingual, known-mixture, low-data, reasoning, syne, system-stack]: 'easy'");
    assertThatThrownBy(() -> run("system-stack", "external", Map.of()))
        .hasMessage("a process must propose weights to the policy external: none is given");
  }

  private static Map<String, String> recorded(String scenario, double[] shares) {
    List<String> domains = Scenarios.named(scenario).domains();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < shares.length; i++) {
      text.append(domains.get(i)).append('=').append(shares[i]).append(' ');
    }
    return Map.of("at.0", text.toString());
  }
}
