package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.smoothing.Guards;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What all runs with one seed have in common: the scenario's learners and its noise. */
record Trial(Scenario scenario, Learners untrained, long seed) {
  /** Learners and noise of one seed. */
  static Trial of(Scenario scenario, long seed) {
    return new Trial(scenario, Learners.of(scenario, seed), seed);
  }

  Trajectory constant(Weights weights) {
    return run(
        scenario.startingWith(weights), Comparison.STATIC, Map.of(), Guards.NONE, Proposals.NONE);
  }

  Trajectory of(Candidate candidate, double[] targets, Supplier<Proposals> proposals) {
    List<String> domains = scenario.domains();
    Candidate complete =
        candidate.withTargets(domains, targets).withHistogram(domains, scenario.objective());
    Guards guards = complete.guardsFor(domains);
    boolean asks = complete.create(domains).metrics().contains(Metrics.PROPOSED_WEIGHT);
    try (Proposals process = asks ? proposals.get() : Proposals.NONE) {
      return run(scenario, complete.policy(), complete.settings(), guards, process);
    }
  }

  private Trajectory run(
      Scenario started,
      String policy,
      Map<String, String> settings,
      Guards guards,
      Proposals proposals) {
    return Simulation.run(
        started, policy, settings, guards, untrained.untrained(), seed, proposals);
  }
}
