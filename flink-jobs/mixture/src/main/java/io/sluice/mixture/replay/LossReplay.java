package io.sluice.mixture.replay;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Trajectory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A policy replayed where of another run nothing but its held-out losses is known. */
public final class LossReplay {
  private static final Set<String> RECORDED = Set.of(Metrics.EVAL_LOSS, Metrics.PERPLEXITY);

  private LossReplay() {}

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
    Replay replay = Replay.begun(candidate, domains, cadence(losses), initial);
    requireRecorded(candidate.policy(), replay.metrics());
    List<Long> steps = losses.keySet().stream().filter(step -> step > 0).toList();
    Replay.Feedback feedback = (step, metrics) -> observed(step, metrics, losses);
    return Replay.points(replay.weights(), replay.rounds(0, steps, feedback), losses);
  }

  /** As if each batch were one sequence and the rounds as far apart as the first two. */
  private static Cadence cadence(SortedMap<Long, double[]> losses) {
    long every = losses.keySet().stream().filter(step -> step > 0).findFirst().orElse(1L);
    return new Cadence(every, 0, new TreeMap<>(Map.of(1L, 1)), losses.lastKey());
  }

  private static Optional<Observation> observed(
      long step, List<String> metrics, SortedMap<Long, double[]> losses) {
    double[] measured = losses.get(step);
    if (measured == null) {
      return Optional.empty();
    }
    Observation observation = Observation.at(step);
    for (String metric : metrics) {
      double[] values =
          metric.equals(Metrics.PERPLEXITY)
              ? Arrays.stream(measured).map(Math::exp).toArray()
              : measured;
      observation = observation.with(metric, values);
    }
    return Optional.of(observation);
  }

  private static void requireRecorded(String policy, List<String> metrics) {
    Set<String> missing = new TreeSet<>(metrics);
    missing.removeAll(RECORDED);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "policy "
              + policy
              + " must need nothing but held-out losses to be replayed: it needs "
              + String.join(", ", missing));
    }
  }
}
