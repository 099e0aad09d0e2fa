package io.sluice.mixture.plan;

import java.util.Arrays;

/**
 * Hamilton's apportionment: floors, then one more for the largest remainders (ties: lower index).
 */
public final class LargestRemainder {
  private LargestRemainder() {}

  /**
   * Whole counts that sum to {@code total}, each within one of its exact quota.
   *
   * @param exact quotas, not negative, that sum to {@code total} up to rounding
   */
  public static long[] apportion(double[] exact, long total) {
    long[] counts = new long[exact.length];
    long[] remainders = new long[exact.length];
    for (int i = 0; i < exact.length; i++) {
      counts[i] = (long) Math.floor(exact[i]);
      remainders[i] = exact[i] == 0 ? 0 : 1 + (long) ((exact[i] - counts[i]) * (1L << 52));
    }
    hand(counts, remainders, total);
    return counts;
  }

  /**
   * Adds one to the counts with the largest remainders until they sum to {@code total}; a remainder
   * of 0 gets nothing. A surplus, which only rounding can cause, is taken from the largest count.
   */
  static void hand(long[] counts, long[] remainders, long total) {
    long missing = total - Arrays.stream(counts).sum();
    if (missing < 0) {
      int largest = 0;
      for (int i = 1; i < counts.length; i++) {
        largest = counts[i] > counts[largest] ? i : largest;
      }
      counts[largest] += missing;
      return;
    }
    Integer[] order = new Integer[counts.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(remainders[b], remainders[a]));
    for (int i = 0; missing > 0; i = (i + 1) % order.length) {
      if (remainders[order[i]] > 0) {
        counts[order[i]]++;
        missing--;
      }
    }
  }
}
