package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.smoothing.Guards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * A policy fed with the losses that another run measured: an open loop, in which its weights change
 * no loss. It tells how the policy moves, not what its mixture is worth.
 */
public final class Replay {
  private static final Set<String> RECORDED = Set.of(Metrics.EVAL_LOSS, Metrics.PERPLEXITY);

  private Replay() {}

  /**
   * The weights that a policy would have had, and the recorded losses.
   *
   * @param initial weights at step 0
   * @param losses held-out loss of each domain by step; NaN where none was measured
   * @throws IllegalArgumentException if the policy needs anything but held-out losses
   */
  public static List<Trajectory.Point> run(
      Candidate candidate,
      List<String> domains,
      Weights initial,
      SortedMap<Long, double[]> losses) {
    Policy policy = candidate.create(domains);
    Guards guards = candidate.guardsFor(domains);
    requireRecorded(policy);
    Weights weights = Weights.ofShares(policy.startingShares(initial.shares()));
    guards.check(domains, weights);
    byte[] state = policy.initialState(weights.shares());
    List<Trajectory.Point> points = new ArrayList<>();
    for (Map.Entry<Long, double[]> round : losses.entrySet()) {
      long step = round.getKey();
      points.add(new Trajectory.Point(step, weights.shares(), round.getValue().clone()));
      boolean decides = step == 0 ? policy.startsFromStepZero() : policy.hasRounds();
      if (decides) {
        Policy.Decision decision = policy.decide(state, observed(policy, step, round.getValue()));
        state = decision.state();
        weights = step == 0 ? weights : guards.apply(domains, weights, decision.shares(), step);
      }
    }
    return points;
  }

  private static Observation observed(Policy policy, long step, double[] losses) {
    Observation observation = Observation.at(step);
    for (String metric : policy.metrics()) {
      double[] values =
          metric.equals(Metrics.PERPLEXITY)
              ? Arrays.stream(losses).map(Math::exp).toArray()
              : losses;
      observation = observation.with(metric, values);
    }
    return observation;
  }

  private static void requireRecorded(Policy policy) {
    Set<String> missing = new TreeSet<>(policy.metrics());
    missing.removeAll(RECORDED);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "policy "
              + policy.name()
              + " must need nothing but held-out losses to be replayed: it needs "
              + String.join(", ", missing));
    }
  }
}
