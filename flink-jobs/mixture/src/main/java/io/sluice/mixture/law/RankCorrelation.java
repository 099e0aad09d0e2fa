package io.sluice.mixture.law;

/** Spearman's correlation of two series: how alike their orders are, whatever their scales. */
public final class RankCorrelation {
  private RankCorrelation() {}

  /**
   * The correlation; of equal values each has the mean of their ranks.
   *
   * @return from -1 to 1; NaN if all values of a series are equal
   */
  public static double of(double[] one, double[] other) {
    if (one.length != other.length) {
      throw new IllegalArgumentException(
          "both series must be of one length: " + one.length + ", " + other.length);
    }
    double[] a = ranks(one);
    double[] b = ranks(other);
    double mean = (one.length + 1) / 2.0;
    double both = 0;
    double squaresA = 0;
    double squaresB = 0;
    for (int i = 0; i < a.length; i++) {
      both += (a[i] - mean) * (b[i] - mean);
      squaresA += (a[i] - mean) * (a[i] - mean);
      squaresB += (b[i] - mean) * (b[i] - mean);
    }
    return both / Math.sqrt(squaresA * squaresB);
  }

  private static double[] ranks(double[] values) {
    double[] ranks = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      int below = 0;
      int equal = 0;
      for (double other : values) {
        below += other < values[i] ? 1 : 0;
        equal += other == values[i] ? 1 : 0;
      }
      ranks[i] = below + (equal + 1) / 2.0;
    }
    return ranks;
  }
}
