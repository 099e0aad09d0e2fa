package io.sluice.control.audit;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What is left of the partitions of a stream, whose heads may be removed before it is read, and
 * while it is. Offsets of a stream have no gaps, so a jump tells of a removal.
 */
final class Remains {
  private static final long NOTHING_REMOVED = -1;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final long[] nextOffsets;
  private final long[] firstIndices;
  private final BitSet jumped = new BitSet();

  Remains(int partitions) {
    nextOffsets = new long[partitions];
    firstIndices = new long[partitions];
    Arrays.fill(firstIndices, NOTHING_REMOVED);
  }

  /** Takes the offset of the record that a partition gives next. */
  void read(int partition, long offset) {
    if (offset > nextOffsets[partition]) {
      removed(partition);
      jumped.set(partition);
    }
    nextOffsets[partition] = offset + 1;
  }

  /** Whether records were removed right before the one that is read; asked once. */
  boolean takeJump(int partition) {
    boolean found = jumped.get(partition);
    jumped.clear(partition);
    return found;
  }

  /** The partition gave a sequence of the run's present lineage. */
  void accepted(int partition, long index) {
    if (firstIndices[partition] == UNKNOWN) {
      firstIndices[partition] = index;
    }
  }

  /** Takes where the partitions ended when the reading began. */
  void end(Map<TopicPartition, Long> ends) {
    ends.forEach(
        (partition, end) -> {
          if (end > nextOffsets[partition.partition()]) {
            removed(partition.partition());
          }
        });
  }

  private void removed(int partition) {
    firstIndices[partition] = UNKNOWN;
  }

  /** Whether anything was removed. */
  boolean isCut() {
    return Arrays.stream(firstIndices).anyMatch(first -> first != NOTHING_REMOVED);
  }

  /**
   * Index of the first sequence from which on all that was emitted is left; 0 when nothing was
   * removed, {@link Long#MAX_VALUE} when a partition has nothing left.
   */
  long from() {
    long partitions = firstIndices.length;
    return Arrays.stream(firstIndices)
        .map(first -> first == UNKNOWN ? UNKNOWN : Math.max(0, first - partitions + 1))
        .max()
        .orElse(0);
  }
}
