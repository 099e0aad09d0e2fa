package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import java.util.Arrays;

/** Consecutive sequences of a stream partition, accepted one after another as readers do. */
final class AcceptedRun {
  private final int partition;
  private final int partitions;
  private final long begin;
  private final boolean fromFirst;
  private final long start;
  private long[] chains = new long[64];
  private int accepted;

  /**
   * None yet.
   *
   * @param begin the index that is awaited
   * @param fromFirst whether that is the timeline's first one here, so that its chain is known
   * @param start chain before a timeline's first sequence
   */
  AcceptedRun(int partition, int partitions, long begin, boolean fromFirst, long start) {
    this.partition = partition;
    this.partitions = partitions;
    this.begin = begin;
    this.fromFirst = fromFirst;
    this.start = start;
  }

  /**
   * Takes the next record.
   *
   * @param opens whether it is its timeline's first one here
   * @throws BrokenRunException if it is the awaited one and contradicts those before it
   */
  void offer(TailRecord record, boolean opens) {
    if (record.index() != next()) {
      return;
    }
    boolean known = opens || accepted > 0 || fromFirst;
    if (known && !record.follows(opens || accepted == 0 ? start : chains[accepted - 1])) {
      throw new BrokenRunException(
          "stream partition "
              + partition
              + ", offset "
              + record.offset()
              + ": the chain hash of sequence "
              + record.index()
              + " does not follow from those before it");
    }
    if (accepted == chains.length) {
      chains = Arrays.copyOf(chains, 2 * accepted);
    }
    chains[accepted++] = record.header().chain();
  }

  /** The index that is awaited. */
  long next() {
    return begin + (long) accepted * partitions;
  }

  /** Whether the chain before an index of the partition, at most the awaited one, is known. */
  boolean knows(long index) {
    return index > begin || (index == begin && fromFirst);
  }

  /** The chain before an index of which it is known. */
  long chainBefore(long index) {
    return index == begin ? start : chains[Math.toIntExact((index - begin) / partitions) - 1];
  }
}
