package io.sluice.mixture.plan;

/**
 * The rule of {@link MixturePlan} by the value of the last offer that wins, found by bisection: for
 * any errors, and for domains that can give only so many sequences.
 */
final class OfferSearch {
  private OfferSearch() {}

  /**
   * Sequences of each domain in a batch; what they are owed is lessened by it.
   *
   * @param error what each is owed
   * @param most that each domain can give; those with weight give {@code seats} together
   */
  static int[] seat(long[] error, Weights effective, int seats, long[] most) {
    long[] offered = new long[error.length];
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < error.length; i++) {
      if (effective.part(i) > 0) {
        error[i] += effective.part(i) * seats;
        offered[i] = Math.min(most[i], seats);
        low = Math.min(low, error[i]);
        high = Math.max(high, error[i]);
      }
    }
    low -= seats * Weights.UNIT;
    // The highest value that at least `seats` offers reach.
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      long reached = 0;
      for (int i = 0; i < error.length; i++) {
        reached += offers(error[i], offered[i], middle);
      }
      if (reached >= seats) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return take(error, offered, low, seats);
  }

  /** Takes every offer above {@code last}, then those of that value, lower indices first. */
  private static int[] take(long[] error, long[] offered, long last, int seats) {
    int[] counts = new int[error.length];
    long left = seats;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) offers(error[i], offered[i], last + 1);
      left -= counts[i];
    }
    for (int i = 0; i < counts.length; i++) {
      if (left > 0 && offers(error[i], offered[i], last) > counts[i]) {
        counts[i]++;
        left--;
      }
      error[i] -= counts[i] * Weights.UNIT;
    }
    return counts;
  }

  /** How many of the offers owed, owed − 1, … are at least {@code value}. */
  private static long offers(long owed, long offered, long value) {
    return owed < value ? 0 : Math.min(offered, (owed - value) / Weights.UNIT + 1);
  }
}
