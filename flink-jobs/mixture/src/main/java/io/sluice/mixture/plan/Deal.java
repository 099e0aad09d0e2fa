package io.sluice.mixture.plan;

/**
 * The order of a batch's sequences: domains in ascending order, each as often as its count, then a
 * Fisher–Yates shuffle by SplitMix64 keyed with (seed, timeline, batch).
 */
public final class Deal {
  /** Version of this rule. */
  public static final int VERSION = 1;

  private Deal() {}

  /**
   * The domain at each position of the batch.
   *
   * @param counts sequences of each domain; the result has as many entries as they sum to
   */
  public static int[] order(long seed, int timeline, long batch, int[] counts) {
    int size = 0;
    for (int count : counts) {
      size += count;
    }
    int[] order = new int[size];
    int next = 0;
    for (int domain = 0; domain < counts.length; domain++) {
      for (int n = 0; n < counts[domain]; n++) {
        order[next++] = domain;
      }
    }
    SplitMix.keyed(seed, timeline, batch).shuffle(order);
    return order;
  }
}
