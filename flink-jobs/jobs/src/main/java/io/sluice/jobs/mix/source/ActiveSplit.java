package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.BlockFetcher;
import io.sluice.jobs.mix.fetch.SplitBlocks;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A split that a reader works on: what it sequences, its blocks, and what it waits for. */
final class ActiveSplit implements DeficitRoundRobin.Participant {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveSplit.class);

  /** Waits for something else than a block of a domain. */
  private static final int GRANT = -1;

  private static final int BROKER = -2;

  private static final int MEMORY = -3;

  private static final Duration MEMORY_QUIET = Duration.ofSeconds(30);

  private final MixSplit split;
  private final BatchSequencer sequencer;
  private final DeficitRoundRobin.Deficit deficit = new DeficitRoundRobin.Deficit();
  private final StreamGate gate;
  private final SplitBlocks blocks;
  private MixSplit delivered;
  private boolean heldBack;
  private boolean putOff;
  private volatile @Nullable Wait wait;
  private volatile boolean awaitsMemory;
  private long memoryQuietUntil = System.nanoTime();

  /** What the next sequence waits for: a block of a domain, or one of the constants. */
  private static final class Wait {
    private final long sinceNanos;
    private final long batch;
    private final int domain;
    private final long ordinal;
    private long reportAfterNanos;

    Wait(long sinceNanos, long batch, int domain, long ordinal, long reportAfterNanos) {
      this.sinceNanos = sinceNanos;
      this.batch = batch;
      this.domain = domain;
      this.ordinal = ordinal;
      this.reportAfterNanos = reportAfterNanos;
    }
  }

  /**
   * @param gate counts the bytes that are on their way to the broker
   * @param blocks that the sequencer takes; not asked for yet
   */
  ActiveSplit(MixSplit split, BatchSequencer sequencer, StreamGate gate, SplitBlocks blocks) {
    this.split = split;
    this.delivered = split;
    this.sequencer = sequencer;
    this.gate = gate;
    this.blocks = blocks;
  }

  String id() {
    return split.splitId();
  }

  /** Whether the blocks come from this fetcher. */
  boolean fetchesWith(BlockFetcher other) {
    return blocks.comeFrom(other);
  }

  String runId() {
    return split.runId();
  }

  StreamTarget target() {
    return sequencer.target();
  }

  TopicPartition control(Topics topics) {
    return split.control(topics);
  }

  /** The entry of the control log that is to be applied next lies at this offset or above. */
  long controlOffset() {
    return sequencer.position().offset() + 1;
  }

  /** Starts to fetch, once there is the memory for it. */
  void start() {
    blocks.ask();
    noteMemory();
  }

  /** Follows what memory there is for it. */
  void adjust() {
    blocks.adjust(sequencer.phase() == RunPhase.PAUSED);
    noteMemory();
  }

  /** Says that it begins to wait for memory, but not again and again. */
  private void noteMemory() {
    boolean awaited = awaitsMemory;
    awaitsMemory = blocks.awaitMemory();
    long now = System.nanoTime();
    if (awaitsMemory && !awaited && now - memoryQuietUntil >= 0) {
      memoryQuietUntil = now + MEMORY_QUIET.toNanos();
      LOG.info("Run {} waits until others leave it memory for its blocks", split.layout().run());
    }
  }

  /** Whether blocks that it needs are not fetched, because others have the memory. */
  boolean awaitsMemory() {
    return awaitsMemory;
  }

  /**
   * Applies an entry if it is the next one.
   *
   * @return false when the entry is from a lineage that lost
   */
  boolean apply(ControlEntry entry, long offset) {
    if (!sequencer.hasRoom()) {
      sequencer.look(entry, offset);
      putOff = true;
      return true;
    }
    boolean seenBefore = entry.serial() <= sequencer.position().serial();
    return sequencer.apply(entry, offset) || seenBefore || putOff;
  }

  /** Whether a record that is no entry stands where the next entry has to be. */
  boolean awaits(ReaderMessage.NoEntry record) {
    return sequencer.position().isNext(record.runId(), record.serial(), record.basedOn());
  }

  /** Whether entries were put off that it now has room for; true once. */
  boolean wantsRereading() {
    boolean wants = putOff && sequencer.isHungry();
    putOff = putOff && !wants;
    return wants;
  }

  @Override
  public DeficitRoundRobin.Deficit deficit() {
    return deficit;
  }

  /**
   * The next sequence, or null while it waits.
   *
   * @param bytes that may be on their way to the broker
   */
  @Nullable StreamRecord next(long bytes) {
    heldBack = !gate.isOpen(bytes);
    if (heldBack) {
      return null;
    }
    StreamRecord record = sequencer.next();
    if (record != null) {
      deficit.spend(record.value().remaining());
      if (wait != null) {
        wait = null;
      }
    }
    return record;
  }

  /** Whether nothing is left to emit, and the broker has it all. */
  boolean isFinished() {
    return sequencer.isFinished() && gate.isDelivered();
  }

  /** Whether the broker did not take something that was emitted. */
  boolean hasLost() {
    return gate.hasLost();
  }

  /**
   * The split to go on with in place of this one, once a revision asks for it and the broker has
   * everything before it.
   */
  Optional<MixSplit> successor() {
    return sequencer.successor(blocks.sizes()).filter(next -> gate.isDelivered());
  }

  /** Notes that it waits from now on, unless it did before. */
  void waits(long nowNanos, Duration firstReport) {
    if (sequencer.phase() == RunPhase.PAUSED) {
      adjust();
    }
    OptionalInt domain = sequencer.awaitedDomain();
    int awaited = heldBack ? BROKER : awaitsMemory ? MEMORY : domain.orElse(GRANT);
    Wait before = wait;
    if (before == null || before.domain != awaited) {
      long ordinal = awaited < 0 ? 0 : sequencer.ordinal(awaited);
      wait = new Wait(nowNanos, sequencer.batch(), awaited, ordinal, firstReport.toNanos());
    }
  }

  boolean isWaiting() {
    return wait != null;
  }

  /** Says in the log what it waits for, the less often the longer; from one thread only. */
  void reportWait(long nowNanos) {
    Wait current = wait;
    if (current == null || nowNanos - current.sinceNanos < current.reportAfterNanos) {
      return;
    }
    long seconds = Duration.ofNanos(nowNanos - current.sinceNanos).toSeconds();
    current.reportAfterNanos *= 2;
    if (current.domain == MEMORY) {
      LOG.warn(
          "Run {} waits until others leave it memory for its blocks ({} s)",
          split.layout().run(),
          seconds);
    } else if (current.domain == BROKER) {
      LOG.warn("Run {} waits for the broker to take what was sent ({} s)", runId(), seconds);
    } else if (current.domain == GRANT) {
      LOG.info("Run {} waits for a grant of batch {} ({} s)", runId(), current.batch, seconds);
    } else {
      LOG.warn(
          "Run {} waits for ordinal {} of domain {}, for batch {} ({} s)",
          runId(),
          current.ordinal,
          split.layout().domains().get(current.domain),
          current.batch,
          seconds);
    }
  }

  /**
   * The split as of sequences that the broker has: the last that were returned, or, while some of
   * them are on their way, as it was when it was last asked for and none was.
   */
  MixSplit snapshot() {
    if (gate.isDelivered()) {
      delivered = sequencer.snapshot(blocks.sizes());
    }
    return delivered;
  }

  /** How it ended, for people. */
  String ending() {
    return sequencer.phase().wireName() + " before batch " + sequencer.batch();
  }

  /** Stops fetching; does not wait for the threads. */
  void close() {
    blocks.close();
  }

  /** Waits until each thread has ended. */
  void join(Duration atMost) throws InterruptedException {
    blocks.join(atMost);
  }
}
