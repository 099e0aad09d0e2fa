package io.sluice.mixture.simulate;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * A mean over seeds.
 *
 * @param error its standard error; NaN with one seed
 * @param low end of its 95 % interval by Student's t; NaN with one seed
 * @param high the other end
 */
public record Estimate(double mean, double error, double low, double high) {
  private static final double UPPER = .975;

  /** Of at least one value. */
  public static Estimate of(double[] values) {
    int n = values.length;
    double mean = Arrays.stream(values).average().orElseThrow();
    if (n == 1) {
      return new Estimate(mean, Double.NaN, Double.NaN, Double.NaN);
    }
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double error = Math.sqrt(squares / (n - 1) / n);
    double half = new TDistribution(n - 1).inverseCumulativeProbability(UPPER) * error;
    return new Estimate(mean, error, mean - half, mean + half);
  }
}
