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
 * <p>Sequences that stand are those whose timeline owns their batch now. They follow each other by
 * index whatever their timeline: one is on its way to the broker, and may be lost, when the next
 * timeline's first is written to another partition.
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
    timeline = Math.max(timeline, record.timeline());
    standing.add(record);
    least = Math.min(least, record.index());
    if (distinct.add(record.index())) {
      bytes += record.bytes();
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
    if (standing.isEmpty()) {
      return OptionalLong.empty();
    }
    long first = from(outline.oldest().firstIndex());
    if (least <= first || (fromStart && !trimmed)) {
      return OptionalLong.of(first);
    }
    if (bytes > window) {
      return OptionalLong.of(least);
    }
    TailRecord kept = standing.get(0);
    if (!fromStart || oldest == null || oldest.timeline() > kept.timeline()) {
      return OptionalLong.empty();
    }
    if (oldest.timeline() < kept.timeline()) {
      return OptionalLong.of(from(outline.opening(kept.timeline()).firstIndex()));
    }
    return oldest.equals(kept) ? OptionalLong.of(kept.index()) : OptionalLong.empty();
  }

  /** Whether records before these would add something. */
  boolean isEnough(RunOutline outline, long window) {
    return fromStart
        || (!standing.isEmpty()
            && (least <= from(outline.oldest().firstIndex()) || bytes > window));
  }

  /** What a reader accepts that awaits an index. */
  AcceptedRun accept(RunOutline outline, long begin) {
    boolean known = begin == from(outline.openingOf(begin).firstIndex());
    long start = outline.first().cursor().chains()[partition];
    AcceptedRun run = new AcceptedRun(partition, partitions, begin, known, start);
    for (TailRecord record : standing) {
      run.offer(record, record.index() == from(outline.opening(record.timeline()).firstIndex()));
    }
    return run;
  }
}
