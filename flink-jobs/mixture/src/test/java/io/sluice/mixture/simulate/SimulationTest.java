package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.simulate.scenario.Invented;
import io.sluice.mixture.simulate.scenario.Learners;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import io.sluice.mixture.smoothing.Guards;
import java.util.Arrays;
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
    assertThat(trajectory.scenario().distanceToTarget(last)).isLessThan(.1);
    double[] oracle = Oracle.weights(new Trial(trajectory.scenario(), 7), List.of());
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
    Scenario quiet =
        Invented.scaled(
            Scenarios.named("system-stack"),
            name -> name.equals("alignment-noise") ? 1e-3 : name.equals("most-aligned") ? 10 : 1);
    assertThat(run(quiet, "dga-distribution", basis, 7).objective())
        .isLessThan(run("system-stack", "static", Map.of()).objective());
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

  /** What counts in the end is p, so that no target is needed. */
  @ParameterizedTest
  @ValueSource(strings = {"system-stack", "reasoning"})
  void balancingByGradientsDoesBetterThanTheStaticMixture(String scenario) {
    Scenario known = Scenarios.named(scenario);
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < known.domains().size(); i++) {
      String domain = known.domains().get(i);
      settings.put("evaluation." + domain, Double.toString(known.objective()[i]));
    }
    assertThat(run(scenario, "r-and-b", settings).objective())
        .isLessThan(run(scenario, "static", Map.of()).objective());
  }

  @Test
  void aLawThatTrialsGiveDoesBetterThanTheTrialsAlone() {
    Map<String, String> trials = Map.of("sweeps", "4", "train-rounds", "10", "eta", "0");
    Map<String, String> learnt = new TreeMap<>(trials);
    learnt.put("eta", "2");
    double objective = run("system-stack", "aioli", learnt).objective();
    assertThat(objective).isLessThan(run("system-stack", "aioli", trials).objective());
    assertThat(objective).isLessThan(run("system-stack", "static", Map.of()).objective());
  }

  @ParameterizedTest
  @ValueSource(strings = {"system-stack", "reasoning"})
  void domainsThatTeachMostMakeABetterMixtureThanTheStaticOne(String scenario) {
    assertThat(run(scenario, "ucb", Map.of()).objective())
        .isLessThan(run(scenario, "static", Map.of()).objective());
  }

  @ParameterizedTest
  @ValueSource(strings = {"system-stack", "known-mixture", "low-data"})
  void everyModelHasProductsOfGradients(String scenario) {
    Learners learners = Learners.of(Scenarios.named(scenario), 3);
    double[] some = new double[Scenarios.named(scenario).domains().size()];
    Arrays.fill(some, Scenarios.named(scenario).tokensPerBatch());
    learners.train(some);
    double[][] own = learners.products(false);
    double[][] ofTargets = learners.products(true);
    for (int i = 0; i < own.length; i++) {
      assertThat(own[i][i]).isPositive();
      for (int j = 0; j < i; j++) {
        assertThat(own[i][j]).isEqualTo(own[j][i]);
        assertThat(ofTargets[i][j]).isFinite();
      }
    }
  }
}
