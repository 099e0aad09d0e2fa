package io.sluice.mixture.targets;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * A scaling law fitted to measured losses, and how sure it is.
 *
 * @param law of the size in the unit of the points
 * @param objective the sum of Huber losses at the law
 * @param points how many were fitted
 */
public record ScalingFit(ScalingLaw law, double objective, int points, Spread spread) {
  /**
   * What the residuals say of the law.
   *
   * @param unit sizes are divided by it in the covariance
   * @param variance of the residuals of ln L
   * @param covariance of (b, e, β), row-major 3 × 3
   */
  record Spread(double unit, double variance, double[] covariance) {}

  /** A loss is expected between {@code low} and {@code high}. */
  public record Interval(double low, double high) {}

  /**
   * Where a loss measured at {@code size} would fall, by the delta method on ln L with the t
   * distribution; it covers the law's own error and the scatter of a measurement.
   *
   * @param level like 0.95
   */
  public Interval interval(double size, double level) {
    if (points <= 3) {
      return new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double reducible = law.scale() * Math.pow(size, -law.exponent());
    double share = reducible / law.at(size);
    double[] slope = {share, 1 - share, -share * Math.log(size / spread.unit)};
    double variance = spread.variance;
    for (int p = 0; p < 3; p++) {
      for (int q = 0; q < 3; q++) {
        variance += slope[p] * spread.covariance[3 * p + q] * slope[q];
      }
    }
    double quantile = new TDistribution(points - 3).inverseCumulativeProbability((1 + level) / 2);
    double half = quantile * Math.sqrt(Math.max(0, variance));
    return new Interval(law.at(size) * Math.exp(-half), law.at(size) * Math.exp(half));
  }

  /** The spread of Huber's estimator: its variance over the curvature that points within δ give. */
  static Spread spread(HuberObjective objective, double unit, double b, double e, double beta) {
    int n = objective.points();
    double squares = 0;
    int inside = 0;
    double[][] normal = new double[3][3];
    for (int j = 0; j < n; j++) {
      double r = objective.residual(j, b, e, beta);
      double clipped = HuberObjective.clipped(r);
      squares += clipped * clipped;
      inside += clipped == r ? 1 : 0;
      double[] slope = objective.slope(j, b, e, beta);
      for (int p = 0; p < 3; p++) {
        for (int q = 0; q < 3; q++) {
          normal[p][q] += slope[p] * slope[q];
        }
      }
    }
    double curvature = Math.max(1, inside) / (double) n;
    double variance = squares / Math.max(1, n - 3) / (curvature * curvature);
    RealMatrix inverse =
        new SingularValueDecomposition(new Array2DRowRealMatrix(normal, false))
            .getSolver()
            .getInverse();
    double[] covariance = new double[9];
    for (int p = 0; p < 9; p++) {
      covariance[p] = variance * inverse.getEntry(p / 3, p % 3);
    }
    return new Spread(unit, variance, covariance);
  }
}
