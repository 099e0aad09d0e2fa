package io.sluice.lab.reproduce.claim.statistics;

import java.util.OptionalInt;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Gamma;

/**
 * How many pairs decide between an effect and none. Both must come out with the power asked for: a
 * true difference as great as the effect is found by the two-sided t test, on its own side, and the
 * t interval of two arms that are alike lies within ± the effect.
 *
 * <p>The first is a tail of the noncentral t distribution, the second is Schuirmann's two one-sided
 * tests (<i>A comparison of the two one-sided tests procedure …</i>, Journal of Pharmacokinetics
 * and Biopharmaceutics 15, 1987). With the sample's deviation s as a multiple of the true one,
 * which is χ/√ν distributed, both are integrals over s of a normal probability: P(T > c) = ∫ Φ(δ -
 * c·s) f(s) ds for δ = √n · effect / deviation (Owen, Biometrika 55, 1968).
 *
 * @param level of the two-sided test that finds a difference, such as 0.05 over the claims tested
 * @param confidence of the interval that must lie within ± the effect, such as 0.95
 * @param power from 0.5 to below 1, such as 0.8
 */
public record Power(double level, double confidence, double power) {
  /** Fewer pairs decide nothing. */
  public static final int LEAST_PAIRS = 3;

  /** More pairs than anybody will run. */
  public static final int MOST_PAIRS = 10_000;

  private static final int STRIPS = 250;
  private static final double DEVIATIONS = 8;
  private static final double MOST_SHIFT = 1e4;
  private static final NormalDistribution NORMAL = new NormalDistribution();

  /** Checks the ranges. */
  public Power {
    if (!(level > 0 && level < 1)
        || !(confidence > 0 && confidence < 1)
        || !(power >= 0.5 && power < 1)) {
      throw new IllegalArgumentException(
          "level and confidence must be between 0 and 1, power from 0.5 to below 1: "
              + level
              + ", "
              + confidence
              + ", "
              + power);
    }
  }

  /**
   * The fewest pairs that decide, sought from what a normal distribution would take; empty if
   * {@link #MOST_PAIRS} do not.
   *
   * @param effect above 0, in the unit of the deviation
   * @param deviation of the differences, 0 or above
   */
  public OptionalInt pairs(double effect, double deviation) {
    check(effect > 0 && deviation >= 0, effect, deviation);
    double normal = (quantile(1 - level / 2) + quantile(power)) * deviation / effect;
    if (normal * normal > MOST_PAIRS) {
      return OptionalInt.empty();
    }
    int pairs = Math.max(LEAST_PAIRS, (int) (normal * normal));
    while (pairs <= MOST_PAIRS && !decides(pairs, effect, deviation)) {
      pairs += Math.max(1, pairs / 50);
    }
    while (pairs > LEAST_PAIRS && decides(pairs - 1, effect, deviation)) {
      pairs--;
    }
    return pairs > MOST_PAIRS ? OptionalInt.empty() : OptionalInt.of(pairs);
  }

  /**
   * The smallest effect that so many pairs decide, in the unit of the deviation.
   *
   * @param pairs {@link #LEAST_PAIRS} or more
   * @param deviation of the differences, 0 or above
   */
  public double effect(int pairs, double deviation) {
    check(pairs >= LEAST_PAIRS && deviation >= 0, pairs, deviation);
    double low = 0;
    double high = MOST_SHIFT;
    while (high - low > 1e-9 * high) {
      double middle = (low + high) / 2;
      if (decides(pairs, middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high * deviation / Math.sqrt(pairs);
  }

  private boolean decides(int pairs, double effect, double deviation) {
    return deviation == 0 || decides(pairs, Math.sqrt(pairs) * effect / deviation);
  }

  /** The first condition costs nothing and is one that the others need. */
  private boolean decides(int pairs, double shift) {
    return shift > quantile(power)
        && finding(pairs, shift) >= power
        && excluding(pairs, shift) >= power;
  }

  /** The chance that a true difference is found, whose distance is in standard errors. */
  double finding(int pairs, double shift) {
    double critical = StudentTest.quantile(pairs - 1, 1 - level / 2);
    return integral(pairs - 1, s -> NORMAL.cumulativeProbability(shift - critical * s));
  }

  /** The chance that the interval of no difference lies within that distance. */
  double excluding(int pairs, double shift) {
    double critical = StudentTest.quantile(pairs - 1, (1 + confidence) / 2);
    return integral(
        pairs - 1, s -> Math.max(0, 2 * NORMAL.cumulativeProbability(shift - critical * s) - 1));
  }

  /** Over the distribution of χ/√ν, by midpoints of strips. */
  private static double integral(int freedom, DoubleUnaryOperator of) {
    double low = Math.max(0, 1 - DEVIATIONS / Math.sqrt(freedom));
    double high = 1 + DEVIATIONS / Math.sqrt(freedom);
    double half = freedom / 2.0;
    double constant = Math.log(2) + half * Math.log(half) - Gamma.logGamma(half);
    double width = (high - low) / STRIPS;
    double sum = 0;
    for (int i = 0; i < STRIPS; i++) {
      double s = low + (i + 0.5) * width;
      sum += of.applyAsDouble(s) * Math.exp(constant + (freedom - 1) * Math.log(s) - half * s * s);
    }
    return sum * width;
  }

  private static double quantile(double share) {
    return NORMAL.inverseCumulativeProbability(share);
  }

  private static void check(boolean allowed, double first, double deviation) {
    if (!allowed) {
      throw new IllegalArgumentException(
          "effect and deviation must be 0 or above, pairs "
              + LEAST_PAIRS
              + " or more: "
              + first
              + ", "
              + deviation);
    }
  }
}
