package io.sluice.mixture.plan;

import java.util.Arrays;

/**
 * Brings the smallest of some numbers to the front, in any order: quickselect with the median of
 * three as pivot, and a sort of what is left when the pivots stay bad.
 */
final class Selection {
  /** Fewer are sorted at once. */
  private static final int FEW = 32;

  private Selection() {}

  /**
   * Moves the {@code count} smallest of the first {@code length} values before all others.
   *
   * @param values all different
   */
  static void smallest(long[] values, int length, int count) {
    int low = 0;
    int high = length;
    int rounds = 2 * (64 - Long.numberOfLeadingZeros(length));
    while (high - low > FEW && count > low && count < high && rounds-- > 0) {
      int middle = partition(values, low, high);
      if (count <= middle) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (count > low && count < high) {
      Arrays.sort(values, low, high);
    }
  }

  /** Splits [low, high) into smaller values, the pivot, and greater ones; the pivot's place. */
  private static int partition(long[] values, int low, int high) {
    int last = high - 1;
    int middle = (low + high) >>> 1;
    order(values, low, middle);
    order(values, low, last);
    order(values, last, middle);
    long pivot = values[last];
    int place = low;
    for (int i = low; i < last; i++) {
      long value = values[i];
      values[i] = values[place];
      values[place] = value;
      place += value < pivot ? 1 : 0;
    }
    values[last] = values[place];
    values[place] = pivot;
    return place;
  }

  /** Swaps two values unless the first is the smaller one. */
  private static void order(long[] values, int a, int b) {
    if (values[a] > values[b]) {
      long first = values[a];
      values[a] = values[b];
      values[b] = first;
    }
  }
}
