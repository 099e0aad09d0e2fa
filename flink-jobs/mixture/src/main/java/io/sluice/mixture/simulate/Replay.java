package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.smoothing.Guards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
    Policy policy = candidate.create(domains).inRun(cadence(losses));
    Guards guards = candidate.guardsFor(domains);
    requireRecorded(policy);
    Weights weights = Weights.ofShares(policy.startingShares(initial.shares()));
    guards.check(domains, weights);
    PolicyUpdater updater = policy.updater(policy.initialState(weights.shares()));
    List<Trajectory.Point> points = new ArrayList<>();
    for (Map.Entry<Long, double[]> round : losses.entrySet()) {
      long step = round.getKey();
      points.add(new Trajectory.Point(step, weights.shares(), round.getValue().clone()));
      boolean decides = step == 0 ? policy.startsFromStepZero() : policy.hasRounds();
      if (decides) {
        updater.take(observed(policy, step, round.getValue()));
        weights = step == 0 ? weights : guards.apply(domains, weights, updater.shares(), step);
      }
    }
    return points;
  }

  /** As if each batch were one sequence and the rounds as far apart as the first two. */
  private static Cadence cadence(SortedMap<Long, double[]> losses) {
    long every = losses.keySet().stream().filter(step -> step > 0).findFirst().orElse(1L);
    return new Cadence(every, 0, new TreeMap<>(Map.of(1L, 1)), losses.lastKey());
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
