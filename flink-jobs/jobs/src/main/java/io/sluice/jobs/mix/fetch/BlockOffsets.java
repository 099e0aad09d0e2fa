package io.sluice.jobs.mix.fetch;

import io.sluice.mixture.plan.EpochOrder;
import java.util.Arrays;

/**
 * Offsets of a block partition, as far as they were seen.
 *
 * <p>A look-up by timestamp would not do: the commit markers between the blocks carry the wall
 * clock, so that any ordinal is found at the first of them. But each block takes at least one
 * offset, so from a known block one can jump as many offsets forward as ordinals are missing, and
 * never too far. The markers left behind are made up for by the next, much shorter jump.
 */
final class BlockOffsets {
  /** No offset is known. */
  static final long UNKNOWN = -1;

  private long[] chunks = {};
  private long reached;

  /** Remembers a block's offset. */
  void note(long stored, long offset) {
    reach(offset);
    if (stored % EpochOrder.CHUNK != 0) {
      return;
    }
    int chunk = Math.toIntExact(stored / EpochOrder.CHUNK);
    if (chunk >= chunks.length) {
      int length = chunks.length;
      chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, length + length / 2));
      Arrays.fill(chunks, length, chunks.length, UNKNOWN);
    }
    chunks[chunk] = offset;
  }

  /** The partition has this offset. */
  void reach(long offset) {
    reached = Math.max(reached, offset);
  }

  /**
   * An offset at or before a block, as close as is known; {@link #UNKNOWN} when nothing is. It is
   * never beyond the last that the partition is known to have: there may be no such block, where a
   * domain's size is not known yet, but the marker that tells it.
   */
  long atOrBefore(long stored) {
    long last = Math.min(stored / EpochOrder.CHUNK, chunks.length - 1L);
    for (int chunk = (int) last; chunk >= 0; chunk--) {
      if (chunks[chunk] != UNKNOWN) {
        return Math.min(reached, chunks[chunk] + stored - (long) chunk * EpochOrder.CHUNK);
      }
    }
    return UNKNOWN;
  }
}
