package io.sluice.mixture.policy;

/** Weights that sum to 1, from numbers of another scale. */
public final class Shares {
  private static final double LEAST_EXPONENT = Math.log(Double.MIN_NORMAL);

  private Shares() {}

  /** The numbers divided by their sum. */
  public static double[] normalised(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    double[] shares = new double[values.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = values[i] / sum;
    }
    return shares;
  }

  /** {@code exp(z) / Σ exp(z)}. */
  public static double[] softmax(double[] z) {
    double[] shares = new double[z.length];
    softmax(z, shares);
    return shares;
  }

  /**
   * Likewise, into an array, which may be the same.
   *
   * @return ln Σ exp(z)
   */
  public static double softmax(double[] z, double[] into) {
    double max = Double.NEGATIVE_INFINITY;
    for (double exponent : z) {
      max = exponent > max ? exponent : max;
    }
    double sum = 0;
    for (int i = 0; i < z.length; i++) {
      into[i] = ratio(z[i] - max);
      sum += into[i];
    }
    for (int i = 0; i < into.length; i++) {
      into[i] /= sum;
    }
    return max + Math.log(sum);
  }

  /** Gives each of the shares an equal part of {@code floor}, and of itself what is left. */
  public static void mixIn(double floor, double[] shares) {
    double least = floor / shares.length;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (1 - floor) * shares[i] + least;
    }
  }

  /** {@code exp(z)}, 0 where it would be subnormal: such numbers cost many times what others do. */
  private static double ratio(double z) {
    return z < LEAST_EXPONENT ? 0 : Math.exp(z);
  }
}
