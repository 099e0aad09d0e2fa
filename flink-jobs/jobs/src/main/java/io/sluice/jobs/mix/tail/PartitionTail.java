package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.RunOutline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last records of a stream partition, in the order of their offsets, as far back as they were
 * read.
 *
 * <p>Sequences that stand are those whose timeline owns their batch now. Of these, only the newest
 * timeline's matter: nobody begins one before the broker has all that stands of those before it.
 */
final class PartitionTail {
  /** No sequence that stands was read. */
  static final int NONE = -1;

  private final int partition;
  private final int partitions;
  private final boolean fromStart;
  private final boolean trimmed;
  private final List<TailRecord> standing = new ArrayList<>();
  private int timeline = NONE;
  private long leastBatch = Long.MAX_VALUE;
  private @Nullable TailRecord oldest;
  private final Set<Long> distinct = new HashSet<>();
  private long bytes;
  private long least = Long.MAX_VALUE;

  /**
   * A tail without a record.
   *
   * @param fromStart whether it has all records that there are
   * @param trimmed whether there were records before those
   */
  PartitionTail(int partition, int partitions, boolean fromStart, boolean trimmed) {
    this.partition = partition;
    this.partitions = partitions;
    this.fromStart = fromStart;
    this.trimmed = trimmed;
  }

  /** Takes the next record. */
  void add(TailRecord record, RunOutline outline) {
    oldest = oldest == null ? record : oldest;
    leastBatch = Math.min(leastBatch, record.header().batch());
    if (!outline.owns(record.timeline(), record.header().batch())) {
      return;
    }
    if (!record.isSound(partition, partitions)) {
      throw new BrokenRunException(
          "stream partition " + partition + ", offset " + record.offset() + ": " + record.header());
    }
    if (record.timeline() > timeline) {
      timeline = record.timeline();
      standing.clear();
      distinct.clear();
      bytes = 0;
      least = Long.MAX_VALUE;
    }
    if (record.timeline() == timeline) {
      standing.add(record);
      least = Math.min(least, record.index());
      if (distinct.add(record.index())) {
        bytes += record.bytes();
      }
    }
  }

  int partition() {
    return partition;
  }

  /** The newest timeline with a sequence that stands; {@link #NONE} without any. */
  int timeline() {
    return timeline;
  }

  /** The smallest batch of any record; {@link Long#MAX_VALUE} without any. */
  long leastBatch() {
    return leastBatch;
  }

  /** Whether there were records that are gone. */
  boolean isTrimmed() {
    return trimmed;
  }

  /** Whether it has all records that there are. */
  boolean isFromStart() {
    return fromStart;
  }

  /** The first index of this partition at or after one. */
  long from(long index) {
    return index + Math.floorMod(partition - index, (long) partitions);
  }

  /**
   * Where a reader may begin that was given all before it; empty when that cannot be told without
   * records before these.
   *
   * <p>Whoever writes a partition has less than a window on its way: what it wrote is at most so
   * far beyond the first sequence that readers lack. So if the sequences here, each counted once,
   * are more than a window, the smallest of them is not beyond that one: it would have had to be
   * written here before any reader went on. Where records were removed, the oldest that is left is
   * one that every trainer has taken.
   *
   * @param window bytes that may be on their way
   */
  OptionalLong begin(RunOutline outline, long window) {
    if (timeline == NONE) {
      return OptionalLong.empty();
    }
    long first = from(outline.opening(timeline).firstIndex());
    boolean isWhole = !trimmed || (oldest != null && oldest.timeline() < timeline);
    if (least <= first || (fromStart && isWhole)) {
      return OptionalLong.of(first);
    }
    if (bytes > window) {
      return OptionalLong.of(least);
    }
    return fromStart && oldest != null && oldest.equals(standing.get(0))
        ? OptionalLong.of(oldest.index())
        : OptionalLong.empty();
  }

  /** Whether records before these would add something. */
  boolean isEnough(RunOutline outline, long window) {
    return fromStart
        || (timeline != NONE
            && (least <= from(outline.opening(timeline).firstIndex()) || bytes > window));
  }

  /** What a reader accepts that awaits an index of the newest timeline. */
  AcceptedRun accept(RunOutline outline, long begin) {
    boolean known = begin == from(outline.opening(timeline).firstIndex());
    long start = outline.first().cursor().chains()[partition];
    AcceptedRun run = new AcceptedRun(partition, partitions, begin, known, start);
    standing.forEach(run::offer);
    return run;
  }
}
