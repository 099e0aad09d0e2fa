package io.sluice.control.targets;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Held-out losses that a run measured.
 *
 * @param domains in the order of every array
 * @param initialShares weights that the run started with
 * @param rounds what was measured, by step
 * @param plannedTokens of the whole run, if it has an end
 * @param weightsMoved whether the mixture changed on the way
 */
public record LossHistory(
    List<String> domains,
    double[] initialShares,
    SortedMap<Long, Round> rounds,
    OptionalDouble plannedTokens,
    boolean weightsMoved) {
  /**
   * What was measured at a step.
   *
   * @param tokens that the model was trained on
   * @param losses of each domain in nats per token; NaN where none was measured
   * @param counts held-out tokens that each loss is a mean of; empty where that is not known
   */
  public record Round(double tokens, double[] losses, long[] counts) {
    /** Losses of which is not known how many tokens each is a mean of. */
    public Round(double tokens, double[] losses) {
      this(tokens, losses, new long[0]);
    }

    boolean isComplete() {
      return Arrays.stream(losses).noneMatch(Double::isNaN);
    }
  }

  /** Checks that the parts fit each other. */
  public LossHistory {
    domains = List.copyOf(domains);
    rounds = Collections.unmodifiableSortedMap(new TreeMap<>(rounds));
    if (initialShares.length != domains.size()) {
      throw new IllegalArgumentException(
          "initial shares must be one for each of " + domains + ": " + initialShares.length);
    }
  }

  /** The losses by step. */
  public SortedMap<Long, double[]> losses() {
    SortedMap<Long, double[]> losses = new TreeMap<>();
    rounds.forEach((step, round) -> losses.put(step, round.losses));
    return losses;
  }

  /** The same without what was measured after step 0 and up to this step. */
  LossHistory after(long warmUp) {
    SortedMap<Long, Round> kept = new TreeMap<>(rounds);
    kept.keySet().removeIf(step -> step > 0 && step <= warmUp);
    return new LossHistory(domains, initialShares, kept, plannedTokens, weightsMoved);
  }
}
