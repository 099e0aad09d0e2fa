package io.sluice.refine.classify;

import java.util.List;

/**
 * What a classifier says of a text.
 *
 * @param label the likeliest one
 * @param probability of that label
 * @param probabilities of all labels, in the order of {@link LinearClassifier#labels()}; their sum
 *     is 1
 */
public record Classification(String label, double probability, List<Double> probabilities) {
  /** Copies the list. */
  public Classification {
    probabilities = List.copyOf(probabilities);
  }
}
