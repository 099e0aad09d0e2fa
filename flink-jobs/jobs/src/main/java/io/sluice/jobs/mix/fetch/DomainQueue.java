package io.sluice.jobs.mix.fetch;

import io.sluice.jobs.mix.split.SplitCursor;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A domain's fetched blocks from the next ordinal on, and where its partition must be read next.
 *
 * <p>Ordinals count through epochs; a block's own ordinal is its place in the partition. In the
 * first epoch both agree and the partition is read straight on. In later ones it is read in sweeps:
 * upwards from needed block to needed block, whatever epoch needs them, then again from the lowest.
 *
 * <p>Not thread-safe: {@link FetchMonitor} guards it.
 */
final class DomainQueue {
  /** The partition's reader does not stand anywhere yet, or stands at a wrong place. */
  static final long NOWHERE = -1;

  /** Blocks that are used up within so many horizons may keep their fetch alive. */
  static final int SOON = 4;

  private final long seed;
  private final int domain;
  private final int lane;
  private long size;
  private @Nullable LaterEpochs later;

  private long first;
  private long needed;
  private long missing;
  private int lacking;
  private final BlockRing ring = new BlockRing();

  private long readAt = NOWHERE;

  DomainQueue(long seed, int domain, int lane, long first, long size) {
    this.seed = seed;
    this.domain = domain;
    this.lane = lane;
    this.size = size;
    this.first = first;
    this.needed = first;
    this.missing = first;
  }

  /** Needed ordinals that are not here. */
  int lacking() {
    return lacking;
  }

  /** Whether the ordinal that is needed after all others is here. */
  boolean holdsNextNeed() {
    return holds(needed);
  }

  private boolean holds(long ordinal) {
    return ring.holds(first, ordinal);
  }

  /** Counts one more ordinal as needed. */
  void need() {
    if (!holds(needed)) {
      lacking++;
    }
    needed++;
  }

  /** The first block, which stays; null when it is not here. */
  @Nullable ByteBuffer peek() {
    return ring.block(first);
  }

  /** The first block's own ordinal. */
  long peekStored() {
    return ring.stored(first);
  }

  /** Drops the first block. */
  void take() {
    ring.clear(first);
    first++;
  }

  /** Where the reader stands now. */
  void readingFrom(long stored) {
    readAt = stored;
  }

  /** Where the reader stands: the own ordinal of the block that must come next. */
  long readAt() {
    return readAt;
  }

  /**
   * The block whose place must be sought before reading; {@link #NOWHERE} when none must.
   *
   * @param skip so many blocks are rather read and dropped than sought past
   */
  long seekTarget(long skip) {
    if (lacking == 0) {
      return NOWHERE;
    }
    long aim = isFirstEpoch(missing) ? missing : aimOfSweep();
    boolean near = readAt != NOWHERE && readAt <= aim && aim - readAt < skip;
    return near ? NOWHERE : aim;
  }

  private boolean isFirstEpoch(long ordinal) {
    return size == SplitCursor.GROWING || ordinal < size;
  }

  /** Whether the first epoch has been read: all that is here beyond the need is of later ones. */
  boolean isPastFirstEpoch() {
    return later != null;
  }

  private long aimOfSweep() {
    LaterEpochs epochs = later;
    if (epochs == null) {
      epochs = new LaterEpochs(seed, domain, lane, size);
      later = epochs;
    }
    epochs.cover(missing, needed);
    return epochs.nextOf(missing, needed, readAt, ordinal -> !holds(ordinal));
  }

  /**
   * Keeps a block for every ordinal that it stands for and that needs it; also for one that does
   * not yet, if that is the next in the first epoch and there is space to spare, or if there is
   * room. What is not kept is sought again when it is needed.
   *
   * @param stored the block's own ordinal
   * @return for how many ordinals it is kept
   */
  int keep(long stored, ByteBuffer block, boolean room, boolean spare, BlockMemory memory) {
    LaterEpochs epochs = later;
    if (epochs == null) {
      return (stored < needed || spare)
              && put(stored, stored, block, memory, stored - first < SOON * (needed - first))
          ? 1
          : 0;
    }
    int kept = 0;
    for (LaterEpochs.Place place : epochs.placesOf(stored)) {
      long ordinal = place.ordinalOf(stored);
      if ((ordinal < needed || (room && kept == 0)) && put(ordinal, stored, block, memory, false)) {
        kept++;
      }
    }
    return kept;
  }

  private boolean put(
      long ordinal, long stored, ByteBuffer block, BlockMemory memory, boolean soon) {
    if (ordinal < first || holds(ordinal)) {
      return false;
    }
    ring.put(first, ordinal, stored, memory.keep(block, soon));
    if (ordinal < needed) {
      lacking--;
    }
    while (holds(missing)) {
      missing++;
    }
    return true;
  }

  /** The partition ends with this many blocks. */
  void end(long blocks) {
    size = blocks;
    readAt = NOWHERE;
  }
}
