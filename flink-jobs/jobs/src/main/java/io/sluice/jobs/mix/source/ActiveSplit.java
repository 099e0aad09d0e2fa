package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.BlockFetcher;
import io.sluice.jobs.mix.fetch.SplitBlocks;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.Pacer;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogDoubts;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A split that a reader works on: what it sequences, its blocks, and what it waits for. */
final class ActiveSplit implements DeficitRoundRobin.Participant {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveSplit.class);

  private static final String WAITS = "Run {} waits {} ({} s)";

  private static final Duration MEMORY_QUIET = Duration.ofSeconds(30);

  /** What lasts as long is told to people. */
  private static final Duration NOTICE = Duration.ofSeconds(1);

  private final MixSplit split;
  private final BatchSequencer sequencer;
  private final DeficitRoundRobin.Deficit deficit = new DeficitRoundRobin.Deficit();
  private final StreamGate gate;
  private final SplitBlocks blocks;
  private MixSplit delivered;
  private final Pacer pacer = new Pacer(System.nanoTime());
  private boolean heldBack;
  private volatile boolean paced;
  private boolean putOff;
  private volatile @Nullable SplitWait wait;
  private @Nullable SplitWait reported;
  private long reportAfterNanos;
  private boolean noticed;
  private final LogDoubts doubts = new LogDoubts();
  private boolean rereads;
  private boolean doubted;
  private volatile boolean awaitsMemory;
  private long memoryQuietUntil = System.nanoTime();

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

  int lane() {
    return split.lane();
  }

  /** Counts what is on its way to the broker, and what that has. */
  StreamGate gate() {
    return gate;
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
   * @throws BrokenRunException if it shows that the log has lost what was there
   */
  boolean apply(ControlEntry entry, long offset) {
    LogPosition at = sequencer.position();
    BrokenRunException.requireKept(at, entry, offset);
    if (!putOff && doubts.raises(at, entry.step().link(), offset)) {
      rereads = true;
      doubted = true;
    }
    // What may be missing before these is read first.
    doubted &= offset > at.offset();
    if (doubted) {
      return false;
    }
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
    return sequencer.position().isNext(record.link());
  }

  /**
   * Where the log is to be read again, because entries were put off that it now has room for, or
   * because of one that may follow some that it does not know; negative if nowhere. Says so once.
   */
  long rereadFrom() {
    if (putOff && sequencer.isHungry()) {
      putOff = false;
      return controlOffset();
    }
    long from = rereads ? sequencer.position().offset() : -1;
    rereads = false;
    return from;
  }

  @Override
  public DeficitRoundRobin.Deficit deficit() {
    return deficit;
  }

  @Override
  public int priority() {
    return sequencer.pace().priority();
  }

  /** Whether it has come as far as its run's ceiling lets it by now. */
  boolean isPaced() {
    return paced;
  }

  private boolean reachesCeiling() {
    double most = sequencer.pace().sequencesPerSecond() / split.layout().lanes();
    return most > 0 && !pacer.isOpen(most, System.nanoTime());
  }

  /**
   * The next sequence, or null while it waits.
   *
   * @param bytes that may be on their way to the broker
   */
  @Nullable StreamRecord next(long bytes) {
    heldBack = !gate.isOpen(bytes);
    paced = !heldBack && reachesCeiling();
    if (heldBack || paced) {
      return null;
    }
    StreamRecord record = sequencer.next();
    if (record != null) {
      pacer.spend();
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

  /** Whether it is the split of an id, and waits until it is known what its stream holds. */
  boolean awaitsPlace(String splitId) {
    return splitId.equals(id()) && gate.isClosed();
  }

  /** Whether the broker did not take something that was emitted. */
  boolean hasLost() {
    return gate.hasLost();
  }

  /** Whether the broker has lost something that it had. */
  boolean isCut() {
    return gate.isCut();
  }

  /**
   * The split to go on with in place of this one, once a revision asks for it and the broker has
   * everything before it.
   */
  Optional<MixSplit> successor() {
    return sequencer
        .successor(blocks.sizes())
        .filter(next -> gate.isDelivered())
        .map(next -> next.reaching(gate.reach()));
  }

  /** Notes that it waits from now on, unless it did before. */
  void waits(long nowNanos, long nowMillis) {
    if (sequencer.phase() == RunPhase.PAUSED) {
      adjust();
    }
    OptionalInt domain = sequencer.awaitedDomain();
    Object cause = heldBack ? "broker" : paced ? "pace" : awaitsMemory ? "memory" : domain;
    SplitWait before = wait;
    if (before == null || !before.cause().equals(cause)) {
      boolean granted = heldBack || paced || awaitsMemory || domain.isPresent();
      wait = new SplitWait(cause, reason(domain), granted, nowNanos, nowMillis);
    }
  }

  private String reason(OptionalInt domain) {
    if (heldBack) {
      return "for the broker to take what was sent";
    }
    if (paced) {
      return "as limits.tokens-per-second says";
    }
    if (awaitsMemory) {
      return "until others leave it memory for its blocks";
    }
    if (domain.isEmpty()) {
      return "for a grant of batch " + sequencer.batch();
    }
    int awaited = domain.getAsInt();
    return "for ordinal %d of domain %s, for batch %d"
        .formatted(
            sequencer.ordinal(awaited), split.layout().domains().get(awaited), sequencer.batch());
  }

  boolean isWaiting() {
    return wait != null;
  }

  /**
   * Says what it waits for: in the log, the less often the longer, and to people, once. From one
   * thread only.
   *
   * @param first after how long
   */
  void reportWait(long nowNanos, Duration first, EmissionNotices notices) {
    SplitWait current = wait;
    if (!Objects.equals(current, reported)) {
      reported = current;
      reportAfterNanos = first.toNanos();
      if (noticed) {
        noticed = false;
        notices.flows(runId(), split.lane());
      }
    }
    if (current == null) {
      return;
    }
    Duration lasted = current.lasted(nowNanos);
    if (current.granted() && !noticed && lasted.compareTo(NOTICE) >= 0) {
      noticed = true;
      notices.waits(runId(), split.lane(), current.reason(), current.sinceMillis());
    }
    if (lasted.toNanos() < reportAfterNanos) {
      return;
    }
    reportAfterNanos *= 2;
    if (current.granted()) {
      LOG.warn(WAITS, runId(), current.reason(), lasted.toSeconds());
    } else {
      LOG.info(WAITS, runId(), current.reason(), lasted.toSeconds());
    }
  }

  /**
   * The split as of sequences that the broker has: the last that were returned, or, while some of
   * them are on their way, as it was when it was last asked for and none was.
   */
  MixSplit snapshot() {
    if (gate.isDelivered()) {
      delivered = sequencer.snapshot(blocks.sizes()).reaching(gate.reach());
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
