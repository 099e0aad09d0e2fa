package io.sluice.jobs.mix.fetch;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Blocks by their ordinals, in as many slots as lie between the first and the last of them. */
final class BlockRing {
  private @Nullable ByteBuffer[] blocks = new ByteBuffer[8];
  private long[] stored = new long[8];

  private int slot(long ordinal) {
    return (int) (ordinal & (blocks.length - 1));
  }

  /** Whether there is a block of the ordinal, all before {@code first} being gone. */
  boolean holds(long first, long ordinal) {
    return ordinal >= first && ordinal < first + blocks.length && blocks[slot(ordinal)] != null;
  }

  /** The block of an ordinal from the first on; null when it is not here. */
  @Nullable ByteBuffer block(long ordinal) {
    return blocks[slot(ordinal)];
  }

  /** The own ordinal of the block of an ordinal. */
  long stored(long ordinal) {
    return stored[slot(ordinal)];
  }

  void clear(long ordinal) {
    blocks[slot(ordinal)] = null;
  }

  void put(long first, long ordinal, long own, ByteBuffer block) {
    while (ordinal - first >= blocks.length) {
      grow(first);
    }
    blocks[slot(ordinal)] = block;
    stored[slot(ordinal)] = own;
  }

  private void grow(long first) {
    @Nullable ByteBuffer[] before = blocks;
    long[] storedBefore = stored;
    blocks = new ByteBuffer[before.length * 2];
    stored = new long[before.length * 2];
    for (long ordinal = first; ordinal < first + before.length; ordinal++) {
      int from = (int) (ordinal & (before.length - 1));
      blocks[slot(ordinal)] = before[from];
      stored[slot(ordinal)] = storedBefore[from];
    }
  }
}
