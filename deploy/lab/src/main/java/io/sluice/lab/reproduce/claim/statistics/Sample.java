package io.sluice.lab.reproduce.claim.statistics;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Independent finite values, such as the differences of two arms by seed. */
public final class Sample {
  /** Differences that differ by less than this share of the greatest are rounding. */
  private static final double ROUNDING = 1e-12;

  private final double[] values;
  private final double mean;
  private final double deviation;

  private Sample(double[] values) {
    this.values = values;
    this.mean = DoubleStream.of(values).average().orElseThrow();
    double squares = DoubleStream.of(values).map(value -> (value - mean) * (value - mean)).sum();
    this.deviation = values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
  }

  /**
   * The sample of some values.
   *
   * @throws IllegalArgumentException if there is none, or one is not finite
   */
  public static Sample of(double... values) {
    if (values.length == 0 || !DoubleStream.of(values).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(
          "a sample must be one finite value or more: " + Arrays.toString(values));
    }
    return new Sample(values.clone());
  }

  /** How many values there are. */
  public int size() {
    return values.length;
  }

  /** The values, in their order. */
  public double[] values() {
    return values.clone();
  }

  /** The arithmetic mean. */
  public double mean() {
    return mean;
  }

  /** The square root of the unbiased variance, with n - 1 below; NaN of one value. */
  public double deviation() {
    return deviation;
  }

  /** Whether all values are one, but for rounding. */
  public boolean isConstant() {
    double least = DoubleStream.of(values).min().orElseThrow();
    double greatest = DoubleStream.of(values).max().orElseThrow();
    return greatest - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(greatest));
  }

  double standardError() {
    return deviation / Math.sqrt(values.length);
  }
}
