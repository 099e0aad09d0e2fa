package io.sluice.refine.classify;

import java.util.Arrays;

/** Probabilities of labels, from their scores or the weights of a text's buckets. */
public final class Softmax {
  private Softmax() {}

  /**
   * Puts the probability of each label into {@code result}.
   *
   * @param weights of as many labels as the result has, bucket by bucket
   * @return whether any of the text's buckets had a weight; if not, all are the same
   */
  static boolean probabilities(float[] weights, FeatureVector text, double[] result) {
    int labels = result.length;
    boolean known = false;
    Arrays.fill(result, 0);
    for (int i = 0; i < text.size(); i++) {
      int first = text.bucket(i) * labels;
      double value = text.value(i);
      for (int label = 0; label < labels; label++) {
        double weight = weights[first + label];
        known |= weight != 0;
        result[label] += value * weight;
      }
    }
    normalise(result);
    return known;
  }

  /**
   * Puts the probability of each label in the place of its score.
   *
   * @param scores finite logits of the labels, at least one
   */
  public static void normalise(double[] scores) {
    double most = Arrays.stream(scores).max().orElseThrow();
    double sum = 0;
    for (int label = 0; label < scores.length; label++) {
      scores[label] = StrictMath.exp(scores[label] - most);
      sum += scores[label];
    }
    for (int label = 0; label < scores.length; label++) {
      scores[label] /= sum;
    }
  }
}
