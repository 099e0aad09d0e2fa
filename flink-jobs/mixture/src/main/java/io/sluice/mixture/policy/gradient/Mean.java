package io.sluice.mixture.policy.gradient;

/** Weighted means of those values of a matrix that were measured. */
final class Mean {
  private Mean() {}

  /**
   * The mean of a row or of a column.
   *
   * @param matrix by rows; NaN where nothing was measured
   * @param from place of the first value
   * @param step from one value to the next
   * @param weights one for each value, not negative
   * @return NaN if no value with a weight was measured
   */
  static double of(double[] matrix, int from, int step, double[] weights) {
    double sum = 0;
    double weight = 0;
    for (int i = 0; i < weights.length; i++) {
      double value = matrix[from + i * step];
      if (!Double.isNaN(value)) {
        sum += weights[i] * value;
        weight += weights[i];
      }
    }
    return sum / weight;
  }
}
