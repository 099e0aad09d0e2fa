package io.sluice.refine.classify;

import java.util.Arrays;

/** Probabilities of labels from the weights of a text's buckets. */
final class Softmax {
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
    double most = Arrays.stream(result).max().orElseThrow();
    double sum = 0;
    for (int label = 0; label < labels; label++) {
      result[label] = StrictMath.exp(result[label] - most);
      sum += result[label];
    }
    for (int label = 0; label < labels; label++) {
      result[label] /= sum;
    }
    return known;
  }
}
