package io.sluice.mixture.plan;

/**
 * The order of a batch's sequences: domains in ascending order, each as often as its count, then a
 * Fisher–Yates shuffle by SplitMix64 keyed with (seed, timeline, batch). Where there are several
 * lanes, each orders its own seats so, keyed with (seed, timeline, batch, lane).
 */
public final class BatchOrder {
  /** Version of this rule. */
  public static final int VERSION = 1;

  private BatchOrder() {}

  /**
   * The domain at each of a lane's seats in the batch, in the order of the global index.
   *
   * @param share what the lane gets
   */
  public static int[] order(long seed, int timeline, long batch, LaneShare share, int lane) {
    int[] order = ascending(share.countsOf(lane));
    SplitMix random =
        share.lanes() == 1
            ? SplitMix.keyed(seed, timeline, batch)
            : SplitMix.keyed(seed, timeline, batch, lane);
    random.shuffle(order);
    return order;
  }

  /**
   * The domain at each position of the batch, where there is one lane.
   *
   * @param counts sequences of each domain; the result has as many entries as they sum to
   */
  public static int[] order(long seed, int timeline, long batch, int[] counts) {
    int[] order = ascending(counts);
    SplitMix.keyed(seed, timeline, batch).shuffle(order);
    return order;
  }

  /**
   * The domain at each position of the batch, which the lanes fill in turn.
   *
   * @param first global index of the batch's first sequence
   */
  public static int[] whole(long seed, int timeline, long batch, LaneShare share, long first) {
    int size = 0;
    int[][] orders = new int[share.lanes()][];
    for (int lane = 0; lane < orders.length; lane++) {
      orders[lane] = order(seed, timeline, batch, share, lane);
      size += orders[lane].length;
    }
    int[] whole = new int[size];
    for (int position = 0; position < size; position++) {
      int lane = (int) ((first + position) % orders.length);
      whole[position] = orders[lane][position / orders.length];
    }
    return whole;
  }

  private static int[] ascending(int[] counts) {
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
    return order;
  }
}
