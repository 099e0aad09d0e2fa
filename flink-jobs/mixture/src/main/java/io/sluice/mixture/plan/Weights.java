package io.sluice.mixture.plan;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Domain weights as integers that sum to 2^40, so that every reader of the control log computes the
 * same plan. Immutable.
 */
public final class Weights {
  /** What the parts of a mixture sum to: one whole sequence. */
  public static final long UNIT = 1L << 40;

  /** Most domains in a mixture. */
  public static final int MAX_DOMAINS = 1 << 18;

  private final long[] parts;
  private final boolean positive;

  private Weights(long[] parts) {
    this.parts = parts;
    boolean all = true;
    for (long part : parts) {
      all &= part > 0;
    }
    this.positive = all;
  }

  /**
   * Weights from their integer parts.
   *
   * @throws IllegalArgumentException unless every part is in [0, 2^40] and they sum to 2^40
   */
  public static Weights of(long... parts) {
    requireSize(parts.length);
    long sum = 0;
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] < 0 || parts[i] > UNIT) {
        throw new IllegalArgumentException(
            "weight of domain " + i + " must be in [0, 2^40]: " + parts[i]);
      }
      sum += parts[i];
    }
    if (sum != UNIT) {
      throw new IllegalArgumentException("weights must sum to 2^40 = " + UNIT + ": " + sum);
    }
    return new Weights(parts.clone());
  }

  /**
   * Weights in proportion to the shares, by largest remainder (ties: lower index).
   *
   * @param shares finite and not negative, with a positive sum; they need not sum to 1
   */
  public static Weights ofShares(double... shares) {
    requireSize(shares.length);
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      if (!Double.isFinite(shares[i]) || shares[i] < 0) {
        throw new IllegalArgumentException(
            "share of domain " + i + " must be finite and at least 0: " + shares[i]);
      }
      sum += shares[i];
    }
    if (!(sum > 0) || !Double.isFinite(sum)) {
      throw new IllegalArgumentException("shares must have a positive, finite sum: " + sum);
    }
    double[] exact = new double[shares.length];
    for (int i = 0; i < shares.length; i++) {
      exact[i] = shares[i] / sum * UNIT;
    }
    return new Weights(LargestRemainder.apportion(exact, UNIT));
  }

  /** The same weight for each of {@code domains} domains. */
  public static Weights uniform(int domains) {
    requireSize(domains);
    double[] ones = new double[domains];
    Arrays.fill(ones, 1);
    return ofShares(ones);
  }

  /** Number of domains. */
  public int size() {
    return parts.length;
  }

  /** Weight of a domain in units of 2^-40. */
  public long part(int domain) {
    return parts[domain];
  }

  /** Whether every domain has some. */
  boolean isPositive() {
    return positive;
  }

  /** A copy of all parts. */
  public long[] parts() {
    return parts.clone();
  }

  /** Weight of a domain in [0, 1]. */
  public double share(int domain) {
    return (double) parts[domain] / UNIT;
  }

  /** All weights in [0, 1]; they sum to 1 exactly. */
  public double[] shares() {
    double[] shares = new double[parts.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = share(i);
    }
    return shares;
  }

  /** Whether some weight is left when the masked domains are taken out. */
  public boolean anyWithout(BitSet masked) {
    return unmasked(masked) > 0;
  }

  /**
   * These weights with masked domains at zero and the others scaled up, in integers.
   *
   * @throws IllegalArgumentException if no weight is left
   */
  public Weights without(BitSet masked) {
    if (masked.isEmpty()) {
      return this;
    }
    long left = unmasked(masked);
    if (left == 0) {
      throw new IllegalArgumentException("every domain with weight is masked: " + masked);
    }
    BigInteger unit = BigInteger.valueOf(UNIT);
    BigInteger divisor = BigInteger.valueOf(left);
    long[] quotients = new long[parts.length];
    long[] remainders = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      if (!masked.get(i)) {
        BigInteger[] division =
            BigInteger.valueOf(parts[i]).multiply(unit).divideAndRemainder(divisor);
        quotients[i] = division[0].longValueExact();
        remainders[i] = division[1].longValueExact();
      }
    }
    LargestRemainder.hand(quotients, remainders, UNIT);
    return new Weights(quotients);
  }

  private long unmasked(BitSet masked) {
    long left = 0;
    for (int i = 0; i < parts.length; i++) {
      left += masked.get(i) ? 0 : parts[i];
    }
    return left;
  }

  private static void requireSize(int domains) {
    if (domains < 1 || domains > MAX_DOMAINS) {
      throw new IllegalArgumentException(
          "a mixture must have 1 to " + MAX_DOMAINS + " domains: " + domains);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Weights that && Arrays.equals(parts, that.parts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(parts);
  }

  @Override
  public String toString() {
    return Arrays.toString(shares());
  }
}
