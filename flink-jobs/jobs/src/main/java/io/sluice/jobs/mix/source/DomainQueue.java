package io.sluice.jobs.mix.source;

import io.sluice.mixture.plan.EpochOrder;
import org.jspecify.annotations.Nullable;

/**
 * A domain's fetched blocks from the next ordinal on, and where its partition must be read next.
 *
 * <p>Ordinals count through epochs; a block's own ordinal is its place in the partition. In the
 * first epoch both agree and the partition is read straight on. In a later epoch the chunk of the
 * first missing ordinal is read, from the lowest block that is needed of it.
 *
 * <p>Not thread-safe: {@link FetchPlan} guards it.
 */
final class DomainQueue {
  /** The partition's reader does not stand anywhere yet, or stands at a wrong place. */
  static final long NOWHERE = -1;

  private final long seed;
  private final int domain;
  private long size;
  private @Nullable EpochOrder epochs;

  private long first;
  private long needed;
  private long missing;
  private byte[][] ring = new byte[8][];
  private long[] ringStored = new long[8];

  private long readAt = NOWHERE;
  private EpochOrder.@Nullable Chunk chunk;
  private int[] inverse = {};
  private long aim = NOWHERE;

  DomainQueue(long seed, int domain, long first, long size) {
    this.seed = seed;
    this.domain = domain;
    this.size = size;
    this.first = first;
    this.needed = first;
    this.missing = first;
  }

  /** The next ordinal to be taken. */
  long first() {
    return first;
  }

  /** Number of blocks; {@link SplitCursor#GROWING} until the end is known. */
  long size() {
    return size;
  }

  /** Whether a needed ordinal is not here. */
  boolean lacks() {
    return missing < needed;
  }

  /** Whether the ordinal that is needed after all others is here. */
  boolean holdsNextNeed() {
    return holds(needed);
  }

  /** Counts one more ordinal as needed. */
  void need() {
    needed++;
  }

  private boolean holds(long ordinal) {
    return ordinal >= first && ordinal < first + ring.length && ring[slot(ordinal)] != null;
  }

  private int slot(long ordinal) {
    return (int) (ordinal & (ring.length - 1));
  }

  /** The first block, which stays; null when it is not here. */
  byte @Nullable [] peek() {
    return ring[slot(first)];
  }

  /** The first block's own ordinal. */
  long peekStored() {
    return ringStored[slot(first)];
  }

  /** Drops the first block. */
  void take() {
    ring[slot(first)] = null;
    first++;
  }

  /** Where the reader stands now. */
  void readingFrom(long stored) {
    readAt = stored;
  }

  /** The block whose place must be looked up before reading; {@link #NOWHERE} when none must. */
  long seekTarget() {
    if (!lacks()) {
      return NOWHERE;
    }
    takeAim();
    boolean near = readAt != NOWHERE && readAt <= aim && aim - readAt < EpochOrder.CHUNK;
    return near ? NOWHERE : aim;
  }

  private void takeAim() {
    if (size == SplitCursor.GROWING || missing < size) {
      chunk = null;
      aim = missing;
      return;
    }
    EpochOrder.Chunk at = chunk;
    if (at == null || missing >= at.end() || missing < at.firstOrdinal()) {
      at = order().chunkAt(missing);
      chunk = at;
      inverse = new int[at.order().length];
      for (int i = 0; i < inverse.length; i++) {
        inverse[at.order()[i]] = i;
      }
    }
    aim = Long.MAX_VALUE;
    for (long ordinal = missing; ordinal < Math.min(needed, at.end()); ordinal++) {
      if (!holds(ordinal)) {
        aim = Math.min(aim, at.blockAt(ordinal));
      }
    }
  }

  private EpochOrder order() {
    if (epochs == null) {
      epochs = EpochOrder.ended(seed, domain, size);
    }
    return epochs;
  }

  /**
   * The ordinal that a block stands for here; {@link #NOWHERE} when it is of no use.
   *
   * @param stored the block's own ordinal
   */
  long ordinalOf(long stored) {
    EpochOrder.Chunk at = chunk;
    if (at == null) {
      return stored >= first && !holds(stored) ? stored : NOWHERE;
    }
    long offset = stored - at.firstBlock();
    if (offset < 0 || offset >= inverse.length) {
      return NOWHERE;
    }
    long ordinal = at.firstOrdinal() + inverse[(int) offset];
    return ordinal >= first && !holds(ordinal) ? ordinal : NOWHERE;
  }

  /** Whether an ordinal is needed, rather than merely next to a needed one. */
  boolean needs(long ordinal) {
    return ordinal < needed;
  }

  /** Where the reader stands: the own ordinal of the block that must come next. */
  long readAt() {
    return readAt;
  }

  /** Keeps a block. */
  void put(long ordinal, long stored, byte[] bytes) {
    while (ordinal - first >= ring.length) {
      grow();
    }
    ring[slot(ordinal)] = bytes;
    ringStored[slot(ordinal)] = stored;
    while (holds(missing)) {
      missing++;
    }
  }

  private void grow() {
    byte[][] blocks = ring;
    long[] stored = ringStored;
    ring = new byte[blocks.length * 2][];
    ringStored = new long[blocks.length * 2];
    for (long ordinal = first; ordinal < first + blocks.length; ordinal++) {
      int from = (int) (ordinal & (blocks.length - 1));
      ring[slot(ordinal)] = blocks[from];
      ringStored[slot(ordinal)] = stored[from];
    }
  }

  /** The partition ends with this many blocks. */
  void end(long blocks) {
    size = blocks;
    readAt = NOWHERE;
  }
}
