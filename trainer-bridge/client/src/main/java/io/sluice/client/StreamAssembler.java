package io.sluice.client;

import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which records of a run's stream are its sequences, and puts them together to batches.
 * Knows nothing of Kafka or clocks.
 *
 * <p>Global index g is in stream partition g mod S. Each partition awaits one index at a time. A
 * record, in this order: of a newer timeline → the run was rewound; of an older one → dropped;
 * below the awaited index → dropped (a writer that restarts repeats itself); the awaited index →
 * accepted, and its chain hash checked; above it → ignored. Ignored, not kept: a hole is filled
 * <i>behind</i> the records that came after it, and its writer then writes those again.
 */
final class StreamAssembler {
  private final int timeline;
  private final BlockReader blocks;
  private final long[] expected;
  private final long[] chain;
  private final boolean[] chainKnown;
  private final long[] aheadIndex;
  private final long[] aheadNanos;
  private final Map<Long, OpenBatch> open = new HashMap<>();
  private long batch;
  private long firstIndex;
  private long bufferedBytes;

  /** The first missing sequence of the next batch. */
  record Awaited(long batch, int partition, long index) {}

  /**
   * An assembler whose next batch is the one after {@code start}.
   *
   * @param partitions of the stream, S
   */
  StreamAssembler(StreamState start, int partitions, BlockReader blocks) {
    this.timeline = start.timeline();
    this.blocks = blocks;
    this.batch = start.batch() + 1;
    this.firstIndex = start.firstIndex();
    this.expected = new long[partitions];
    this.chain = new long[partitions];
    this.chainKnown = new boolean[partitions];
    this.aheadIndex = new long[partitions];
    this.aheadNanos = new long[partitions];
    for (int p = 0; p < partitions; p++) {
      expected[p] = firstIndex + Math.floorMod(p - firstIndex, partitions);
    }
    Arrays.fill(aheadIndex, -1);
    if (timeline == 0 && firstIndex == 0) {
      Arrays.fill(chain, ChainHash.START);
      Arrays.fill(chainKnown, true);
    }
  }

  /** Takes one record of a partition. */
  void offer(int partition, StreamHeader header, byte[] value) {
    if (header.timeline() > timeline) {
      throw new RewoundException(timeline, header.timeline(), header.batch() - 1);
    }
    if (header.timeline() < timeline || header.index() < expected[partition]) {
      return;
    }
    if (header.index() > expected[partition]) {
      aheadIndex[partition] = Math.max(aheadIndex[partition], header.index());
      return;
    }
    accept(partition, header, value);
  }

  private void accept(int partition, StreamHeader header, byte[] value) {
    OpenBatch target = openBatch(partition, header);
    checkChain(partition, header, blocks.inspect(value));
    target.put(new Sequence(header, value, blocks));
    bufferedBytes += value.length;
    expected[partition] += expected.length;
    if (aheadIndex[partition] < expected[partition]) {
      aheadIndex[partition] = -1;
    }
    aheadNanos[partition] = 0;
  }

  private OpenBatch openBatch(int partition, StreamHeader header) {
    OpenBatch found = open.get(header.batch());
    boolean agrees =
        found != null
            ? found.agreesWith(header)
            : OpenBatch.isConsistent(header)
                && (header.batch() == batch
                    ? header.firstIndex() == firstIndex
                    : header.batch() > batch && header.firstIndex() > firstIndex);
    if (!agrees) {
      throw new StreamCorruptException(
          "stream partition "
              + partition
              + ", sequence "
              + header.index()
              + ": "
              + header
              + " contradicts "
              + (found != null
                  ? found.toString()
                  : "batch " + batch + " starting at sequence " + firstIndex));
    }
    return found != null ? found : open.computeIfAbsent(header.batch(), b -> new OpenBatch(header));
  }

  private void checkChain(int partition, StreamHeader header, Optional<BlockIdentity> block) {
    if (chainKnown[partition] && block.isPresent()) {
      long computed = block.get().nextChain(chain[partition], header.index());
      if (computed != header.chain()) {
        throw new StreamCorruptException(
            "stream partition "
                + partition
                + ", sequence "
                + header.index()
                + ": the chain hash is "
                + Long.toHexString(header.chain())
                + " but these blocks give "
                + Long.toHexString(computed));
      }
    }
    chain[partition] = header.chain();
    chainKnown[partition] = true;
  }

  /** The next batch, once, if it is complete. */
  Optional<GlobalBatch> take() {
    OpenBatch next = open.get(batch);
    if (next == null || !next.isComplete()) {
      return Optional.empty();
    }
    if (next.firstIndex() != firstIndex) {
      throw new StreamCorruptException(
          next + " must start at sequence " + firstIndex + ", where the batch before ended");
    }
    open.remove(batch);
    List<Sequence> sequences = next.sequences();
    for (Sequence sequence : sequences) {
      bufferedBytes -= sequence.encodedBlock().length;
    }
    GlobalBatch result =
        new GlobalBatch(timeline, batch, firstIndex, next.weightsVersion(), sequences);
    batch++;
    firstIndex += sequences.size();
    return Optional.of(result);
  }

  /** Whether the next batch is complete. */
  boolean hasNext() {
    OpenBatch next = open.get(batch);
    return next != null && next.isComplete();
  }

  /** Whether the next batch still misses a sequence of the partition. */
  boolean awaits(int partition) {
    OpenBatch next = open.get(batch);
    return next == null || expected[partition] < next.firstIndex() + next.size();
  }

  /** Index of the next sequence that the partition must give. */
  long expected(int partition) {
    return expected[partition];
  }

  /** What the next batch waits for. */
  Awaited awaited() {
    int first = 0;
    for (int p = 1; p < expected.length; p++) {
      if (expected[p] < expected[first]) {
        first = p;
      }
    }
    return new Awaited(batch, first, expected[first]);
  }

  /** Says that the stream was read for this long. */
  void readFor(long nanos) {
    for (int p = 0; p < aheadIndex.length; p++) {
      if (aheadIndex[p] >= 0) {
        aheadNanos[p] += nanos;
      }
    }
  }

  /**
   * Fails if a partition that the next batch waits for has been read for longer than this since a
   * later sequence came first.
   */
  void checkGaps(Duration limit) {
    for (int p = 0; p < aheadIndex.length; p++) {
      if (aheadIndex[p] >= 0 && awaits(p) && aheadNanos[p] >= limit.toNanos()) {
        throw new StreamGapException(
            p, expected[p], aheadIndex[p], Duration.ofNanos(aheadNanos[p]));
      }
    }
  }

  /** Bytes of the accepted sequences that have not been handed out. */
  long bufferedBytes() {
    return bufferedBytes;
  }

  /** The timeline that is followed. */
  int timeline() {
    return timeline;
  }

  /** Number of the last batch that was handed out. */
  long lastBatch() {
    return batch - 1;
  }

  /** Position after the last batch that was handed out. */
  StreamState state(String runId) {
    return new StreamState(runId, timeline, batch - 1, firstIndex);
  }
}
