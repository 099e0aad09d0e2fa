package io.sluice.cli.plan.need;

/** Arithmetic of numbers that people give, of which none is negative. */
final class Counts {
  private Counts() {}

  /** The product, or the largest number there is. */
  static long product(long one, long other) {
    long high = Math.multiplyHigh(one, other);
    return high == 0 && one * other >= 0 ? one * other : Long.MAX_VALUE;
  }

  /** The sum, or the largest number there is. */
  static long sum(long one, long other) {
    return one + other >= 0 ? one + other : Long.MAX_VALUE;
  }

  /** How many parts of a size hold so many. */
  static long parts(long number, long size) {
    return -Math.floorDiv(-number, size);
  }
}
