package io.sluice.control.targets;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Held-out losses that a run measured.
 *
 * @param domains in the order of every array
 * @param initialShares weights that the run started with
 * @param losses of each domain in nats per token, by step; NaN where none was measured
 * @param tokens that the model was trained on, by the same steps
 * @param plannedTokens of the whole run, if it has an end
 * @param weightsMoved whether the mixture changed on the way
 */
public record LossHistory(
    List<String> domains,
    double[] initialShares,
    SortedMap<Long, double[]> losses,
    SortedMap<Long, Double> tokens,
    OptionalDouble plannedTokens,
    boolean weightsMoved) {
  /** Checks that the parts fit each other. */
  public LossHistory {
    domains = List.copyOf(domains);
    losses = Collections.unmodifiableSortedMap(new TreeMap<>(losses));
    tokens = Collections.unmodifiableSortedMap(new TreeMap<>(tokens));
    if (!losses.keySet().equals(tokens.keySet())) {
      throw new IllegalArgumentException(
          "tokens must be known at the steps of the losses " + losses.keySet() + ": " + tokens);
    }
    if (initialShares.length != domains.size()) {
      throw new IllegalArgumentException(
          "initial shares must be one for each of " + domains + ": " + initialShares.length);
    }
  }

  /** Tokens that the model was trained on, at a step of the losses. */
  double tokensAt(long step) {
    return Objects.requireNonNull(tokens.get(step));
  }

  /** The same without what was measured after step 0 and up to this step. */
  LossHistory after(long warmUp) {
    SortedMap<Long, double[]> kept = new TreeMap<>(losses);
    SortedMap<Long, Double> sizes = new TreeMap<>(tokens);
    kept.keySet().removeIf(step -> step > 0 && step <= warmUp);
    sizes.keySet().retainAll(kept.keySet());
    return new LossHistory(domains, initialShares, kept, sizes, plannedTokens, weightsMoved);
  }
}
