package io.sluice.lab.reproduce.claim.statistics;

import org.apache.commons.math3.distribution.TDistribution;

/**
 * Student's t of a sample's mean (Student, <i>The probable error of a mean</i>, Biometrika 6,
 * 1908): t = mean / (deviation / √n), with n - 1 degrees of freedom. Of paired differences it is
 * the paired test. It takes values to be normal. Differences of two arms that are alike are
 * symmetric at least, for which it errs to the safe side; those of one arm to a number may be
 * skewed, and then it errs more often towards the short tail: 15 in 100 instead of 2.5 at a
 * skewness of 4.
 *
 * <p>Where all values are one, their spread says nothing, and no t exists. Then p is that of the
 * exact sign test (Dixon and Mood, <i>The statistical sign test</i>, JASA 41, 1946), which so many
 * equal values cannot beat: 2⁻ⁿ on one side.
 */
public final class StudentTest {
  private final Sample sample;

  private StudentTest(Sample sample) {
    this.sample = sample;
  }

  /**
   * The test of a sample's mean against 0.
   *
   * @throws IllegalArgumentException if it has fewer than two values
   */
  public static StudentTest of(Sample sample) {
    if (sample.size() < 2) {
      throw new IllegalArgumentException("a t test needs two values or more: " + sample.size());
    }
    return new StudentTest(sample);
  }

  /**
   * The interval mean ± t(1 - (1 - level) / 2) · deviation / √n, which holds the true mean in so
   * many of all samples.
   *
   * @param level between 0 and 1, such as 0.95
   */
  public Interval interval(double level) {
    double half = quantile(sample.size() - 1, (1 + level) / 2) * sample.standardError();
    return new Interval(sample.mean() - half, sample.mean() + half);
  }

  /** The probability of a mean as far from 0, on either side, if the true one is 0. */
  public double twoSided() {
    return Math.min(1, 2 * tail(Math.abs(sample.mean())));
  }

  /** The probability of a mean as great or greater if the true one is 0. */
  public double greater() {
    return sample.mean() >= 0 ? tail(sample.mean()) : 1 - tail(-sample.mean());
  }

  private double tail(double mean) {
    if (sample.isConstant()) {
      return mean == 0 ? 0.5 : Math.pow(2, -sample.size());
    }
    double t = mean / sample.standardError();
    return student(sample.size() - 1).cumulativeProbability(-t);
  }

  /** The value of t below which lies such a share. */
  static double quantile(int freedom, double share) {
    return student(freedom).inverseCumulativeProbability(share);
  }

  private static TDistribution student(int freedom) {
    return new TDistribution(null, freedom, 1e-12);
  }
}
