package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.statistics.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them. */
final class Numbers {
  private static final MathContext DIGITS = new MathContext(4);
  private static final double LEAST = 1e-6;
  private static final int MOST_DECIMALS = 8;

  private Numbers() {}

  /** With four digits that count, without an exponent. */
  static String plain(double value) {
    if (Math.abs(value) < LEAST) {
      return value == 0 ? "0" : String.format(Locale.ROOT, "%.1e", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return (rounded.scale() < 0 ? rounded.setScale(0) : rounded).toPlainString();
  }

  /** As somebody wrote it, without an exponent. */
  static String given(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** With as many decimals as half an interval has digits that count: two. */
  static String around(double mean, double half) {
    if (half == 0) {
      return plain(mean) + " ± 0";
    }
    BigDecimal rounded = new BigDecimal(half).round(new MathContext(2));
    int decimals = Math.max(0, Math.min(MOST_DECIMALS, rounded.scale()));
    return String.format(Locale.ROOT, "%." + decimals + "f ± %." + decimals + "f", mean, half);
  }

  /** With a sign, as a difference. */
  static String signed(double value) {
    return (value > 0 ? "+" : "") + plain(value).replace('-', '−');
  }

  /** As a difference's interval. */
  static String signed(Interval interval) {
    return signed(interval.low()) + " to " + signed(interval.high());
  }

  /** With two digits that count; small ones as smaller than. */
  static String probability(double p) {
    return p < 1e-3 ? "< 0.001" : String.format(Locale.ROOT, "%.2g", p);
  }
}
