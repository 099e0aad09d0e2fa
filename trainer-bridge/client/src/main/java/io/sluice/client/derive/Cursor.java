package io.sluice.client.derive;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.plan.LaneShare;
import java.util.Arrays;
import java.util.List;

/** Where a run is after a batch; not thread-safe. */
final class Cursor {
  private Turn turn;
  private long batch;
  private long firstIndex;
  private long[] ordinals;

  Cursor(Turn turn) {
    this.turn = turn;
    this.batch = turn.batch();
    this.firstIndex = turn.firstIndex();
    this.ordinals = turn.ordinals().clone();
  }

  /** What governs the next batch. */
  Turn turn() {
    return turn;
  }

  /** The batch that it is after. */
  long batch() {
    return batch;
  }

  /** Global index of the first sequence of the next batch. */
  long firstIndex() {
    return firstIndex;
  }

  /** Lanes × domains, lane-major: next ordinals. */
  long[] ordinals() {
    return ordinals.clone();
  }

  /** How lanes share the next batch. */
  LaneShare share(Grant grant) {
    return LaneShare.of(grant.countsOf(batch + 1), firstIndex, ordinals);
  }

  /** Goes past the next batch. */
  void pass(Grant grant) {
    share(grant).addTo(ordinals);
    batch++;
    firstIndex += grant.sizeOf(batch);
  }

  /**
   * Goes on with another specification, or in another timeline.
   *
   * @throws IllegalArgumentException if it says something else of what was granted before
   */
  void take(Turn next) {
    boolean same = next.timeline() == turn.timeline();
    List<String> domains = turn.domains();
    int known = domains.size();
    int found = next.domains().size();
    if (next.lanes() != turn.lanes()
        || (same && (found < known || !next.domains().subList(0, known).equals(domains)))) {
      throw new IllegalArgumentException(
          "batch " + (batch + 1) + " has domains " + next.domains() + ", those before " + domains);
    }
    long[] goesOn = LaneShare.resized(next.ordinals(), found, known);
    if (next.firstIndex() != firstIndex || (same && !Arrays.equals(goesOn, ordinals))) {
      throw new IllegalArgumentException(
          "batch "
              + (batch + 1)
              + " begins at sequence "
              + next.firstIndex()
              + " and ordinals "
              + Arrays.toString(next.ordinals())
              + ", the batches before it end at sequence "
              + firstIndex
              + " and ordinals "
              + Arrays.toString(ordinals));
    }
    turn = next;
    ordinals = next.ordinals().clone();
  }
}
