package io.sluice.mixture.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How a batch's sequences are shared among lanes, so that every lane's part of every domain drains
 * evenly.
 *
 * <p>The seats of lane l are the global indices that leave l when divided by the number of lanes,
 * so how many there are is given. Each lane gets the whole part of a domain's count divided by the
 * number of lanes. Each sequence that is left goes to another of the lanes that have used the
 * domain least (ties: in turn from lane {@code domain + first}). Lanes that come out with too many
 * then hand some to lanes with too few, those first that widen the difference between the two lanes
 * least (ties: lower domain). A lane with too many always has a domain that a lane with too few
 * lacks, for what is left of the seats differs by at most one between lanes.
 *
 * <p>Use never drifts far: seeded tests find less than 4 sequences between any two lanes of a
 * domain for up to 64 domains and 8 lanes, and {@code log2} of the domains for counts that are
 * chosen to drive it apart. Only batches that leave no choice can do more: one domain for whole
 * batches whose size the lanes do not divide.
 */
public final class LaneShare {
  /** Version of this rule. */
  public static final int VERSION = 1;

  private final int lanes;
  private final int domains;
  private final int[] counts;

  private LaneShare(int lanes, int domains, int[] counts) {
    this.lanes = lanes;
    this.domains = domains;
    this.counts = counts;
  }

  /**
   * The share of each lane.
   *
   * @param counts sequences of each domain in the batch
   * @param first global index of the batch's first sequence
   * @param used lanes × domains, lane-major: sequences of each domain that each lane has had before
   */
  public static LaneShare of(int[] counts, long first, long[] used) {
    int domains = counts.length;
    int lanes = used.length / domains;
    if (lanes == 0 || used.length % domains != 0) {
      throw new IllegalArgumentException(
          "used must have " + domains + " entries for each lane: " + used.length);
    }
    if (lanes == 1) {
      return new LaneShare(1, domains, counts.clone());
    }
    Sharing sharing = new Sharing(counts, first, used, lanes);
    sharing.divide();
    sharing.even();
    return new LaneShare(lanes, domains, sharing.given);
  }

  /**
   * Sequences that no lane has more of, however {@code count} of a domain are shared.
   *
   * <p>A lane gets the whole part, and at most one more; none gets one more where nothing is left
   * over.
   */
  public static int most(int count, int lanes) {
    return (count + lanes - 1) / lanes;
  }

  /**
   * Sequences that each domain can give, however a batch is shared: as many as the lane with the
   * fewest blocks allows for every lane.
   *
   * @param bounds lanes × domains, lane-major: the ordinal that a lane must not reach
   * @param used lanes × domains, lane-major: ordinals that are used up
   * @return one for each domain
   * @throws IllegalArgumentException if there is not a bound for each
   */
  public static long[] available(long[] bounds, long[] used, int domains) {
    if (bounds.length != used.length) {
      throw new IllegalArgumentException(
          "supply must have " + used.length + " entries, lanes x domains: " + bounds.length);
    }
    int lanes = used.length / domains;
    long[] available = new long[domains];
    Arrays.fill(available, Long.MAX_VALUE / lanes);
    for (int i = 0; i < used.length; i++) {
      int domain = i % domains;
      available[domain] = Math.min(available[domain], Math.max(0, bounds[i] - used[i]));
    }
    Arrays.setAll(available, domain -> lanes * available[domain]);
    return available;
  }

  /** Seats of a lane among {@code size} global indices from {@code first} on. */
  public static int seats(long first, int size, int lane, int lanes) {
    int skipped = position(first, lane, lanes);
    return size <= skipped ? 0 : (size - skipped - 1) / lanes + 1;
  }

  /** Position of a lane's first seat in a batch that begins at {@code first}. */
  public static int position(long first, int lane, int lanes) {
    return Math.floorMod(lane - first, lanes);
  }

  /** Lanes that share the batch. */
  public int lanes() {
    return lanes;
  }

  /** Sequences of each domain that a lane gets. */
  public int[] countsOf(int lane) {
    return Arrays.copyOfRange(counts, lane * domains, (lane + 1) * domains);
  }

  /** Sequences of a domain that a lane gets. */
  public int count(int lane, int domain) {
    return counts[lane * domains + domain];
  }

  /**
   * Counts the batch as used.
   *
   * @param used lanes × domains, lane-major; changed
   */
  public void addTo(long[] used) {
    Arrays.setAll(used, i -> used[i] + counts[i]);
  }

  /**
   * Lane-major values when domains are added, whose values are 0, or taken away from the end.
   *
   * @param values lanes × {@code before}
   * @return lanes × {@code after}
   */
  public static long[] resized(long[] values, int before, int after) {
    int lanes = values.length / before;
    long[] resized = new long[lanes * after];
    for (int lane = 0; lane < lanes; lane++) {
      System.arraycopy(values, lane * before, resized, lane * after, Math.min(before, after));
    }
    return resized;
  }

  /** A batch being shared. */
  private static final class Sharing {
    private final int[] counts;
    private final long first;
    private final long[] used;
    private final int lanes;
    private final int domains;
    private final int[] given;
    private final boolean[] extra;
    private final int[] surplus;

    Sharing(int[] counts, long first, long[] used, int lanes) {
      this.counts = counts;
      this.first = first;
      this.used = used;
      this.lanes = lanes;
      this.domains = counts.length;
      this.given = new int[used.length];
      this.extra = new boolean[used.length];
      this.surplus = new int[lanes];
      int size = Arrays.stream(counts).sum();
      Arrays.setAll(surplus, lane -> -seats(first, size, lane, lanes));
    }

    void divide() {
      Integer[] order = new Integer[lanes];
      for (int d = 0; d < domains; d++) {
        int left = counts[d] % lanes;
        for (int lane = 0; lane < lanes; lane++) {
          give(lane, d, counts[d] / lanes);
        }
        if (left > 0) {
          leastUsed(d, order);
          for (int i = 0; i < left; i++) {
            give(order[i], d, 1);
            extra[order[i] * domains + d] = true;
          }
        }
      }
    }

    private void leastUsed(int domain, Integer[] order) {
      int turn = (int) ((domain + first) % lanes);
      Arrays.setAll(order, i -> (turn + i) % lanes);
      Arrays.sort(order, Comparator.comparingLong(lane -> used[lane * domains + domain]));
    }

    private void give(int lane, int domain, int sequences) {
      given[lane * domains + domain] += sequences;
      surplus[lane] += sequences;
    }

    void even() {
      for (int from = 0; from < lanes; from++) {
        for (int to = 0; to < lanes && surplus[from] > 0; to++) {
          int moved = Math.min(surplus[from], -surplus[to]);
          if (moved > 0) {
            hand(from, to, moved);
          }
        }
      }
    }

    private void hand(int from, int to, int sequences) {
      List<Integer> candidates = new ArrayList<>();
      for (int d = 0; d < domains; d++) {
        if (extra[from * domains + d] && !extra[to * domains + d]) {
          candidates.add(d);
        }
      }
      candidates.sort(
          Comparator.comparingLong(d -> used[to * domains + d] - used[from * domains + d]));
      for (int d : candidates.subList(0, sequences)) {
        give(from, d, -1);
        give(to, d, 1);
        extra[from * domains + d] = false;
        extra[to * domains + d] = true;
      }
    }
  }
}
