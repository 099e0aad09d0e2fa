package io.sluice.control.audit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one timeline is expected to emit, partition by partition, as far as it is read.
 *
 * <p>Partitions are read side by side while the expectation moves by global index, so an expected
 * sequence waits in its partition's queue until its record comes: memory is bounded by how far the
 * partitions run apart.
 */
final class TimelineAudit {
  private final Expectation expectation;
  private final List<Deque<Expectation.Sequence>> awaited = new ArrayList<>();
  private final long[] chains;

  /** The chains as they would be if they began with 0: the same for the same content. */
  private final long[] contents;

  private final boolean[] ahead;

  /** Partitions of which only the end is left, and nothing of it was read yet. */
  private final BitSet cut = new BitSet();

  /** Partitions of which nothing need be left. */
  private final BitSet gone = new BitSet();

  /** Batches up to here must be in the stream before anything of a later timeline. */
  private long required = Long.MAX_VALUE;

  /**
   * Of which nothing is read.
   *
   * @param chainStart before its first sequence
   */
  TimelineAudit(Expectation expectation, int partitions, long chainStart) {
    this.expectation = expectation;
    for (int p = 0; p < partitions; p++) {
      awaited.add(new ArrayDeque<>());
    }
    this.chains = new long[partitions];
    Arrays.fill(chains, chainStart);
    this.contents = new long[partitions];
    this.ahead = new boolean[partitions];
  }

  Expectation expectation() {
    return expectation;
  }

  /** A later timeline was opened at the end of a batch. */
  void rewound(long batch) {
    required = Math.min(required, batch);
  }

  /** Whether every reader of the timeline is given this batch, whenever it was rewound. */
  boolean isRequired(long batch) {
    return batch <= required;
  }

  /** The next expected sequence of a partition; null when all that is granted is there. */
  Expectation.@Nullable Sequence peek(int partition) {
    while (awaited.get(partition).isEmpty() && expectation.hasNext()) {
      Expectation.Sequence next = expectation.next();
      awaited.get((int) (next.index() % chains.length)).add(next);
    }
    return awaited.get(partition).peek();
  }

  /** All that the timeline emitted to a partition may have been reclaimed. */
  void reclaim(int partition) {
    gone.set(partition);
  }

  /** What the timeline emitted to a partition before a sequence was reclaimed. */
  void reclaim(int partition, long index) {
    for (var next = peek(partition); next != null && next.index() < index; next = peek(partition)) {
      awaited.get(partition).remove();
    }
    cut.set(partition);
  }

  /** Whether the partition's chain so far is not known, because it was reclaimed. */
  boolean isCut(int partition) {
    return cut.get(partition);
  }

  /** The expected sequence is there. */
  void take(int partition) {
    ahead[partition] = false;
    awaited.get(partition).remove();
  }

  /** A later sequence is there. Not a hole yet: what is missing may still come, behind it. */
  void skip(int partition) {
    ahead[partition] = true;
  }

  long chain(int partition) {
    return chains[partition];
  }

  long content(int partition) {
    return contents[partition];
  }

  void chain(int partition, long chain, long content) {
    cut.clear(partition);
    chains[partition] = chain;
    contents[partition] = content;
  }

  /**
   * Holds the partitions' ends against what had to be there.
   *
   * @param followed whether something of a later timeline is in each partition
   */
  void end(boolean[] followed, Violations violations) {
    for (int partition = 0; partition < ahead.length; partition++) {
      Expectation.Sequence missing = peek(partition);
      if (missing == null || gone.get(partition) || !isRequired(missing.batch())) {
        continue;
      }
      if (ahead[partition] || followed[partition]) {
        violations.add(
            "I4",
            "timeline %d, partition %d: sequence %d of batch %d is missing, later ones are there",
            expectation.timeline(),
            partition,
            missing.index(),
            missing.batch());
      }
    }
  }
}
