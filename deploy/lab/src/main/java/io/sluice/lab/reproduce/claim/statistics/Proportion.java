package io.sluice.lab.reproduce.claim.statistics;

import org.apache.commons.math3.distribution.NormalDistribution;

/** The share of questions that are answered rightly, of which each is right or wrong. */
public final class Proportion {
  private Proportion() {}

  /**
   * Wilson's score interval (<i>Probable inference, the law of succession, and statistical
   * inference</i>, JASA 22, 1927, without correction for continuity): with z the normal quantile,
   * (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). Unlike p ± z √(p(1-p)/n) it holds with few
   * questions, and where all are right.
   *
   * @param share that is right, from 0 to 1
   * @param questions that were asked, one or more
   * @param level between 0 and 1, such as 0.95
   */
  public static Interval wilson(double share, long questions, double level) {
    if (!(share >= 0 && share <= 1) || questions < 1) {
      throw new IllegalArgumentException(
          "a share must be from 0 to 1, of one question or more: " + share + " of " + questions);
    }
    double z = new NormalDistribution().inverseCumulativeProbability((1 + level) / 2);
    double each = z * z / questions;
    double middle = share + each / 2;
    double half = z * Math.sqrt(share * (1 - share) / questions + each / 4 / questions);
    return new Interval(
        Math.max(0, (middle - half) / (1 + each)), Math.min(1, (middle + half) / (1 + each)));
  }
}
