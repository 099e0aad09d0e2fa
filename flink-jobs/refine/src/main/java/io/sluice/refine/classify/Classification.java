package io.sluice.refine.classify;

import java.util.Arrays;
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

  /** The likeliest of some labels, the first of those that are equally likely. */
  public static Classification of(List<String> labels, double[] probabilities) {
    int best = 0;
    for (int label = 1; label < probabilities.length; label++) {
      best = probabilities[label] > probabilities[best] ? label : best;
    }
    return new Classification(
        labels.get(best), probabilities[best], Arrays.stream(probabilities).boxed().toList());
  }
}
