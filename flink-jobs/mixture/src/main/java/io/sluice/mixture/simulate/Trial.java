package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.simulate.scenario.Learners;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.smoothing.Guards;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all runs with one seed have in common: the scenario's learners and its noise. */
final class Trial {
  private final Scenario scenario;
  private final Learners untrained;
  private final long seed;
  private double @Nullable [] targets;

  /** Learners and noise of one seed. */
  Trial(Scenario scenario, long seed) {
    this.scenario = scenario;
    this.untrained = Learners.of(scenario, seed);
    this.seed = seed;
  }

  Scenario scenario() {
    return scenario;
  }

  Learners untrained() {
    return untrained;
  }

  long seed() {
    return seed;
  }

  Trajectory constant(Weights weights) {
    return constant(weights, untrained.untrained());
  }

  /** The same with learners that can be asked afterwards. */
  Trajectory constant(Weights weights, Learners learners) {
    return still(scenario.startingWith(weights), learners);
  }

  /** The static mixture, measured at other distances. */
  Trajectory measuring(long every) {
    return still(scenario.every(every), untrained.untrained());
  }

  private Trajectory still(Scenario started, Learners learners) {
    return Simulation.run(
        started, Comparison.STATIC, Map.of(), Guards.NONE, learners, seed, Proposals.NONE);
  }

  /** A candidate's course, with what a real run would know where its policy needs that. */
  Trajectory of(Candidate candidate, Supplier<Proposals> proposals) {
    List<String> domains = scenario.domains();
    Candidate complete =
        candidate
            .withTargets(domains, this::targets)
            .withHistogram(domains, () -> Estimates.histogram(this));
    Guards guards = complete.guardsFor(domains);
    boolean asks = complete.create(domains).metrics().contains(Metrics.PROPOSED_WEIGHT);
    try (Proposals process = asks ? proposals.get() : Proposals.NONE) {
      return Simulation.run(
          scenario,
          complete.policy(),
          complete.settings(),
          guards,
          untrained.untrained(),
          seed,
          process);
    }
  }

  private double[] targets() {
    if (targets == null) {
      targets = Estimates.targets(this);
    }
    return targets;
  }
}
