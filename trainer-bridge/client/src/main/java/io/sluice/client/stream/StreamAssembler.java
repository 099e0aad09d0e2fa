package io.sluice.client.stream;

import io.sluice.client.block.BlockReader;
import io.sluice.client.block.EncodedBlock;
import io.sluice.client.block.Sequence;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides which records of a run's stream are its sequences, and puts a rank's rows together to
 * batches. Knows nothing of Kafka or clocks.
 *
 * <p>Global index g is in stream partition g mod S. Each partition awaits one index at a time, of
 * the timeline that owns it. A record, in this order: of a timeline newer than those that are known
 * → the run was rewound; of one older than the awaited → dropped; below the awaited index → dropped
 * (a writer that restarts repeats itself); the awaited index of the awaited timeline → accepted,
 * and its chain hash checked; above it → ignored. Ignored, not kept: a hole is filled <i>behind</i>
 * the records that came after it, and its writer then writes those again. So batches before a
 * rewind are read to the last, and what the old timeline wrote beyond it is dropped.
 *
 * <p>Sequences of other ranks pass through the same rules, but only their identity is read and none
 * is kept.
 */
public final class StreamAssembler {
  private final StreamState start;
  private final Timelines timelines;
  private final int partitions;
  private final BlockReader blocks;
  private final TrainerRank rank;
  private final Map<Integer, PartitionPlace> places = new TreeMap<>();
  private final Map<Long, OpenBatch> open = new HashMap<>();
  private final Map<Long, OpenBatch> passed = new TreeMap<>();
  private long batch;
  private long firstIndex;
  private long bufferedBytes;
  private int version;
  private int versionTimeline;

  /** The first missing sequence of the next batch. */
  public record Awaited(long batch, int partition, long index) {}

  /**
   * An assembler whose next batch is the one after {@code start}.
   *
   * @param timelines of the run, which owns {@code start}
   * @param partitions of the stream, S
   * @param reads those that are offered: all that hold rows of the rank
   */
  public StreamAssembler(
      StreamState start,
      Timelines timelines,
      int partitions,
      BlockReader blocks,
      TrainerRank rank,
      Collection<Integer> reads) {
    this.start = start;
    this.timelines = timelines;
    this.partitions = partitions;
    this.blocks = blocks;
    this.rank = rank;
    this.batch = start.batch() + 1;
    this.firstIndex = start.firstIndex();
    readAlso(reads);
  }

  /** Reads more partitions, from the next batch on. */
  void readAlso(Collection<Integer> reads) {
    for (int partition : reads) {
      places.computeIfAbsent(
          partition, p -> new PartitionPlace(p, partitions, firstIndex, timelines));
    }
  }

  /** Takes one record of a partition; its bytes may be kept. */
  public void offer(int partition, StreamHeader header, ByteBuffer value) {
    if (header.timeline() > timelines.newest()) {
      throw new RewoundException(timelines.newest(), header.timeline(), header.batch() - 1);
    }
    PartitionPlace place = place(partition);
    if (header.timeline() < place.timeline() || header.index() < place.expected()) {
      return;
    }
    if (header.timeline() > place.timeline() || header.index() > place.expected()) {
      place.sawAhead(header.index());
      return;
    }
    accept(partition, place, header, value);
  }

  private void accept(int partition, PartitionPlace place, StreamHeader header, ByteBuffer value) {
    OpenBatch target = openBatch(partition, header);
    EncodedBlock block = blocks.inspect(value);
    if (!blocks.isMasked(block)) {
      place.requireChain(header.chain(), header.index(), block);
    }
    if (target.holds(header.index())) {
      target.put(new Sequence(header, value, block, blocks), blocks.hash(block));
      bufferedBytes += value.remaining();
    }
    place.accept(header.chain(), timelines);
  }

  private OpenBatch openBatch(int partition, StreamHeader header) {
    OpenBatch found = open.get(header.batch());
    if (found == null) {
      found = passed.get(header.batch());
    }
    boolean agrees = found != null ? found.agreesWith(header) : continues(header);
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
    return found != null ? found : begin(header);
  }

  private boolean continues(StreamHeader header) {
    return OpenBatch.isConsistent(header)
        && timelines.owner(header.batch()) == header.timeline()
        && (header.batch() == batch
            ? header.firstIndex() == firstIndex
            : header.batch() > batch && header.firstIndex() > firstIndex);
  }

  private OpenBatch begin(StreamHeader header) {
    OpenBatch begun = new OpenBatch(header, rank);
    Set<Integer> unread = new TreeSet<>();
    for (long i = begun.firstRow();
        i < Math.min(begun.endOfRows(), begun.firstRow() + partitions);
        i++) {
      unread.add((int) (i % partitions));
    }
    unread.removeAll(places.keySet());
    if (!unread.isEmpty()) {
      throw new UnreadRowsException(begun, rank, unread);
    }
    open.put(header.batch(), begun);
    return begun;
  }

  /** The next batch, once, if the rank's rows of it are complete. */
  public Optional<GlobalBatch> take() {
    OpenBatch next = open.get(batch);
    if (next == null || !next.isComplete()) {
      return Optional.empty();
    }
    StreamHeader shape = next.shape();
    if (shape.firstIndex() != firstIndex) {
      throw new StreamCorruptException(
          next + " must start at sequence " + firstIndex + ", where the batch before ended");
    }
    requireVersion(shape);
    List<Sequence> rows = next.rows();
    for (Sequence row : rows) {
      bufferedBytes -= row.encodedBytes();
    }
    pass(next);
    return Optional.of(
        new GlobalBatch(
            shape.timeline(),
            shape.batch(),
            shape.firstIndex(),
            shape.batchSize(),
            shape.weightsVersion(),
            next.digest(),
            rows));
  }

  /** A timeline's mixture versions only go up. */
  private void requireVersion(StreamHeader shape) {
    if (shape.timeline() == versionTimeline && shape.weightsVersion() < version) {
      throw new StreamCorruptException(
          "weights version of batch "
              + shape.batch()
              + " must be at least "
              + version
              + ", the batch before has it: "
              + shape.weightsVersion());
    }
    version = shape.weightsVersion();
    versionTimeline = shape.timeline();
  }

  /** Goes to the next batch; sequences of other ranks may still come for this one. */
  private void pass(OpenBatch taken) {
    open.remove(batch);
    batch++;
    firstIndex = taken.end();
    if (rank.worldSize() > 1) {
      passed.put(batch - 1, new OpenBatch(taken.shape(), rank));
      long reached = places.values().stream().mapToLong(PartitionPlace::expected).min().orElse(0);
      passed.values().removeIf(each -> each.end() <= reached);
    }
  }

  /** Whether the rank's rows of the next batch are complete. */
  public boolean hasNext() {
    OpenBatch next = open.get(batch);
    return next != null && next.isComplete();
  }

  /** Mixture version of the next batch; 0 while nothing of it is known. */
  public int nextWeightsVersion() {
    OpenBatch next = open.get(batch);
    return next == null ? 0 : next.shape().weightsVersion();
  }

  /** Whether the next batch still misses a sequence of the partition. */
  boolean awaits(int partition) {
    OpenBatch next = open.get(batch);
    return next == null || nextRow(partition, next.firstRow()) < next.endOfRows();
  }

  /** Index of the partition's first sequence that is neither accepted nor before the rows. */
  private long nextRow(int partition, long firstRow) {
    long first = firstRow + Math.floorMod(partition - firstRow, (long) partitions);
    return Math.max(place(partition).expected(), first);
  }

  /** Index of the next sequence that the partition must give. */
  public long expected(int partition) {
    return place(partition).expected();
  }

  /** The timeline that owns it. */
  public int timeline(int partition) {
    return place(partition).timeline();
  }

  /** The partitions that are offered. */
  public Set<Integer> reads() {
    return places.keySet();
  }

  /** What the next batch waits for. */
  public Awaited awaited() {
    OpenBatch next = open.get(batch);
    long firstRow = next == null ? firstIndex : next.firstRow();
    Awaited first = new Awaited(batch, -1, Long.MAX_VALUE);
    for (int partition : places.keySet()) {
      long index = nextRow(partition, firstRow);
      if (index < first.index()) {
        first = new Awaited(batch, partition, index);
      }
    }
    return first;
  }

  /** Says that the stream was read for this long. */
  void readFor(long nanos) {
    places.values().forEach(place -> place.readFor(nanos));
  }

  /** Says that Kafka was away: what is missing may come for as long as before. */
  void heardNothing() {
    places.values().forEach(PartitionPlace::heardNothing);
  }

  /**
   * Fails if a partition that the next batch waits for has been read for longer than this since a
   * later sequence came first.
   */
  void checkGaps(Duration limit) {
    places.forEach(
        (partition, place) -> {
          if (awaits(partition)) {
            place.checkGap(limit);
          }
        });
  }

  /** Bytes of the accepted sequences that have not been handed out. */
  long bufferedBytes() {
    return bufferedBytes;
  }

  /** The newest timeline that is followed. */
  public int timeline() {
    return timelines.newest();
  }

  /** Number of the last batch that was handed out. */
  public long lastBatch() {
    return batch - 1;
  }

  /** Position after the last batch that was handed out, the same on every rank. */
  public StreamState state() {
    return batch == start.batch() + 1
        ? start
        : new StreamState(start.runId(), timelines.owner(batch - 1), batch - 1, firstIndex);
  }

  private PartitionPlace place(int partition) {
    PartitionPlace place = places.get(partition);
    if (place == null) {
      throw new IllegalArgumentException(
          "stream partition " + partition + " is not read: " + places.keySet());
    }
    return place;
  }
}
