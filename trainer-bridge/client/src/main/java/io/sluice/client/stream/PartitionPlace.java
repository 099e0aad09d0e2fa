package io.sluice.client.stream;

import io.sluice.client.block.EncodedBlock;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.run.Timelines;
import java.time.Duration;

/** What one stream partition is expected to give next. */
final class PartitionPlace {
  private final int partition;
  private final int partitions;
  private long expected;
  private Timelines.Opened timeline;
  private boolean chainKnown;
  private long chain;
  private long aheadIndex = -1;
  private long aheadNanos;

  /**
   * Before the first sequence of the partition at or after an index.
   *
   * @param partitions of the stream, S: sequence g is in partition g mod S
   */
  PartitionPlace(int partition, int partitions, long fromIndex, Timelines timelines) {
    this.partition = partition;
    this.partitions = partitions;
    this.expected = fromIndex + Math.floorMod(partition - fromIndex, (long) partitions);
    this.timeline = timelines.ofIndex(expected);
    this.chainKnown = expected - partitions < timeline.firstIndex();
    this.chain = timelines.chainStart();
  }

  /** Index of the next sequence. */
  long expected() {
    return expected;
  }

  /** The timeline that owns it. */
  int timeline() {
    return timeline.timeline();
  }

  /** Remembers that a later sequence came first. */
  void sawAhead(long index) {
    aheadIndex = Math.max(aheadIndex, index);
  }

  /**
   * Accepts the expected sequence; the chain begins anew in each timeline.
   *
   * @param timelines whose owner of the next sequence is awaited then
   */
  void accept(long newChain, Timelines timelines) {
    expected += partitions;
    Timelines.Opened next = timelines.ofIndex(expected);
    boolean goesOn = next.timeline() == timeline.timeline();
    timeline = next;
    chain = goesOn ? newChain : timelines.chainStart();
    chainKnown = true;
    if (!goesOn || aheadIndex < expected) {
      aheadIndex = -1;
    }
    aheadNanos = 0;
  }

  /** Fails unless the block continues the chain, as far as that is known. */
  void requireChain(long claimed, long index, EncodedBlock block) {
    if (!chainKnown) {
      return;
    }
    long computed = block.nextChain(chain, index);
    if (computed != claimed) {
      throw new StreamCorruptException(
          "stream partition "
              + partition
              + ", sequence "
              + index
              + ": the chain hash is "
              + Long.toHexString(claimed)
              + " but these blocks give "
              + Long.toHexString(computed));
    }
  }

  /** Says that the stream was read for this long. */
  void readFor(long nanos) {
    if (aheadIndex >= 0) {
      aheadNanos += nanos;
    }
  }

  /** Says that nothing could come until now. */
  void heardNothing() {
    aheadNanos = 0;
  }

  /** Fails if the partition has been read for longer than this since a later sequence came. */
  void checkGap(Duration limit) {
    if (aheadIndex >= 0 && aheadNanos >= limit.toNanos()) {
      throw new StreamGapException(partition, expected, aheadIndex, Duration.ofNanos(aheadNanos));
    }
  }
}
