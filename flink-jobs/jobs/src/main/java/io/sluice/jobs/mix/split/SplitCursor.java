package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ChainHash;
import java.util.Arrays;

/**
 * How far a split has come. The arrays are never changed once the cursor exists.
 *
 * @param control place in the control log before the oldest grant that is not used up
 * @param phase the run's phase at that place
 * @param batch the batch of the next sequence
 * @param position of the next sequence among the lane's in its batch
 * @param firstIndex global index of the batch's first sequence
 * @param ordinals next ordinal of each domain in the lane, epochs counted through
 * @param used lanes × domains, lane-major: ordinals of all lanes before the batch; empty where
 *     there is one lane
 * @param sizes blocks of each domain that is known to have ended; {@link #GROWING} for others
 * @param chains {@link ChainHash} of each stream partition so far
 */
public record SplitCursor(
    LogPosition control,
    RunPhase phase,
    long batch,
    int position,
    long firstIndex,
    long[] ordinals,
    long[] used,
    long[] sizes,
    long[] chains) {
  /** Size of a domain whose end has not been read. */
  public static final long GROWING = -1;

  private static final long[] NONE = {};

  public SplitCursor {
    if (ordinals.length != sizes.length) {
      throw new IllegalArgumentException(
          "a cursor must have a size for each of " + ordinals.length + " domains: " + sizes.length);
    }
  }

  /** Before the first sequence of a run whose first control entry is at {@code control}. */
  public static SplitCursor start(LogPosition control, RunLayout layout, Snapshot from, int lane) {
    return new SplitCursor(
        control,
        RunPhase.RUNNING,
        from.batch() + 1,
        0,
        from.nextSequence(),
        ordinalsOf(from, lane, layout),
        usedBy(from, layout),
        resized(new long[0], layout.domains().size()),
        newChains(layout));
  }

  /**
   * A lane's part of a snapshot's ordinals.
   *
   * @throws BrokenRunException if the snapshot has no such lane
   */
  public static long[] ordinalsOf(Snapshot snapshot, int lane, RunLayout layout) {
    int domains = layout.domains().size();
    long[] all = snapshot.ordinals();
    if (all.length != domains * layout.lanes()) {
      throw new BrokenRunException(
          "a snapshot must have the ordinals of "
              + layout.lanes()
              + " lanes of "
              + domains
              + " domains: found "
              + all.length);
    }
    return Arrays.copyOfRange(all, lane * domains, (lane + 1) * domains);
  }

  /** What all lanes have used, as far as it matters. */
  static long[] usedBy(Snapshot snapshot, RunLayout layout) {
    return layout.lanes() == 1 ? NONE : snapshot.ordinals().clone();
  }

  /** Sizes of a run's domains when some were added, whose ends are not known, or taken away. */
  static long[] resized(long[] sizes, int domains) {
    long[] resized = Arrays.copyOf(sizes, domains);
    Arrays.fill(resized, Math.min(sizes.length, domains), domains, GROWING);
    return resized;
  }

  /** The chains before a timeline's first sequence. */
  static long[] newChains(RunLayout layout) {
    long[] chains = new long[layout.streamPartitions()];
    Arrays.fill(chains, layout.chainStart());
    return chains;
  }
}
