package io.sluice.client.stream;

import io.sluice.client.block.BlockReader;
import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.RunTimeline;
import io.sluice.client.run.SetSource;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.WaitCause;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * A rank's rows of the global batches of one run in order, each exactly once; the trainer's stream
 * without its thread. Not thread-safe.
 */
public final class StreamReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Until the control log is asked while the loop stands still; twice as long each time. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(50);

  /** Time to read what an ended run has left, before the caller is told. */
  private static final Duration TO_READ_THE_REST = Duration.ofMinutes(1);

  private final RunInfo run;
  private final StreamOptions options;
  private final StreamCursor cursor;
  private final ControlFollower control;
  private final LongSupplier nanoTime;
  private final BlockReader blocks;
  private final BatchMasks masks;
  private StreamAssembler assembler;
  private volatile StreamAssembler.Awaited awaited;
  private long soughtAgain = -1;
  private WaitMarks marks = new WaitMarks();
  private long asked;
  private long askAgain = FIRST_LOOK.toNanos();
  private boolean heard = true;
  private volatile boolean awaitedNow;
  private volatile WaitCause lastCause = WaitCause.NETWORK;

  /** Why it is not known where to read on; empty where it is. */
  private String astray = "";

  /**
   * A reader before the run's first batch.
   *
   * @throws StreamMissingException if the run's stream topic does not exist
   * @throws KafkaUnreachableException if no broker answers
   */
  StreamReader(
      RunInfo run,
      StreamOptions options,
      String topic,
      StreamConsumer consumer,
      ControlFollower control,
      SetSource sets,
      LongSupplier nanoTime) {
    this.run = run;
    this.options = options;
    this.control = control;
    this.nanoTime = nanoTime;
    this.blocks = new BlockReader(run);
    this.masks = new BatchMasks(sets, options.statusInterval(), options.gapTimeout(), nanoTime);
    try {
      this.cursor =
          new StreamCursor(
              consumer,
              topic,
              run.spec().getStreamPartitions(),
              options.bufferBytes() / 2,
              options.rank().worldSize() == 1);
      control.refresh();
      this.assembler = goTo(control.runTimeline().start(run.runId()));
      this.awaited = assembler.awaited();
    } catch (RuntimeException e) {
      control.close();
      consumer.close();
      throw e;
    }
  }

  private StreamAssembler goTo(StreamState state) {
    RunTimeline runTimeline = control.runTimeline();
    int partitions = run.spec().getStreamPartitions();
    Set<Integer> reads =
        options
            .rank()
            .partitions(
                runTimeline.schedule(), state.batch(), runTimeline.spec().getBatches(), partitions);
    cursor.seek(state.batch() + 1, reads);
    return new StreamAssembler(
        state, runTimeline.timelines(), partitions, blocks, options.rank(), reads);
  }

  /**
   * The next batch; waits for it.
   *
   * @throws StreamException if it did not come in time, or will not come
   */
  public GlobalBatch next(Duration timeout) {
    requireBatchesLeft();
    long start = nanoTime.getAsLong();
    asked = start;
    Optional<GlobalBatch> batch = take();
    while (batch.isEmpty()) {
      long now = nanoTime.getAsLong();
      long left = timeout.toNanos() - (now - start);
      WaitCause cause = cause();
      lastCause = cause;
      if (left > 0 && now - asked < untilAsked()) {
        read(Duration.ofNanos(Math.min(left, POLL.toNanos())));
        batch = take();
        marks.add(nanoTime.getAsLong(), cause);
        continue;
      }
      String waitsFor = askControlLog();
      asked = now;
      askAgain = 2 * Math.min(askAgain, options.statusInterval().toNanos());
      marks.add(nanoTime.getAsLong(), cause());
      batch = takeUnlessEnded();
      if (batch.isEmpty() && left <= 0) {
        throw stalled(timeout, waitsFor);
      }
    }
    askAgain = FIRST_LOOK.toNanos();
    return batch.get();
  }

  /** What the time was spent with since the last batch was handed out; begins anew. */
  WaitMarks takeMarks() {
    WaitMarks taken = marks;
    marks = new WaitMarks();
    return taken;
  }

  /** Says whether the training loop stands still until the next batch; any thread may. */
  void awaited(boolean now) {
    awaitedNow = now;
  }

  /** What the next batch waited for when that was last looked at; any thread may ask. */
  WaitCause lastCause() {
    return lastCause;
  }

  private long untilAsked() {
    long interval = options.statusInterval().toNanos();
    return awaitedNow ? Math.min(askAgain, interval) : interval;
  }

  /** What the next batch waits for, as far as is known without asking. */
  private WaitCause cause() {
    if (!heard || !astray.isEmpty()) {
      return WaitCause.BROKER;
    }
    if (assembler.lastBatch() >= control.run().granted()) {
      return WaitCause.GRANT;
    }
    return cursor.misses(assembler) ? WaitCause.NETWORK : WaitCause.EMISSION;
  }

  /** The error for a batch that did not come in time; any thread may ask. */
  StreamStalledException stalled(Duration timeout, String waitsFor) {
    StreamAssembler.Awaited next = awaited;
    return new StreamStalledException(
        next.batch(), next.partition(), next.index(), timeout, waitsFor);
  }

  /**
   * Hands out no batch of a mixture that the control log has not been read up to, and none whose
   * masked documents are not known.
   */
  private Optional<GlobalBatch> take() {
    if (assembler.hasNext() && assembler.nextWeightsVersion() > control.run().weightsVersion()) {
      askControlLog();
      if (assembler.nextWeightsVersion() > control.run().weightsVersion()) {
        return Optional.empty();
      }
    }
    long batch = assembler.lastBatch() + 1;
    RunSpec spec = control.infoAt(batch).spec();
    return assembler.hasNext() && masks.know(spec, batch)
        ? assembler.take().map(taken -> taken.without(masks.of(spec, batch)))
        : Optional.empty();
  }

  /** Reads on; where Kafka does not answer what that needs, begins again later. */
  private void read(Duration wait) {
    try {
      readOn(wait);
      astray = "";
    } catch (KafkaUnreachableException e) {
      astray = "; " + e.getMessage();
    }
  }

  private void readOn(Duration wait) {
    if (!astray.isEmpty()) {
      assembler = goTo(assembler.state());
    }
    long before = nanoTime.getAsLong();
    try {
      cursor.poll(wait, assembler);
    } catch (RewoundException e) {
      throw rewound(e);
    } catch (UnreadRowsException e) {
      readWhere(e);
    }
    assembler.readFor(nanoTime.getAsLong() - before);
    awaited = assembler.awaited();
    if (!assembler.hasNext()) {
      checkGaps();
    }
  }

  /** Looks again before it reports a gap: what was lost and written again may lie behind this. */
  private void checkGaps() {
    long index = assembler.awaited().index();
    boolean looked = index == soughtAgain;
    try {
      assembler.checkGaps(looked ? options.gapTimeout() : options.gapTimeout().dividedBy(2));
    } catch (StreamGapException e) {
      if (looked) {
        throw e;
      }
      cursor.seek(assembler.lastBatch() + 1, assembler.reads());
      soughtAgain = index;
    }
  }

  /** The log knows the batch that the run was rewound to; the record may be of a later one. */
  private RewoundException rewound(RewoundException seen) {
    control.refresh();
    int own = assembler.timeline();
    Timelines timelines = control.runTimeline().timelines();
    return timelines.newest() > own
        ? new RewoundException(own, timelines.newest(), timelines.end(own))
        : seen;
  }

  /** Batch sizes have changed: begins again after the last batch, with the partitions of today. */
  private void readWhere(UnreadRowsException unread) {
    Set<Integer> before = Set.copyOf(assembler.reads());
    control.refresh();
    requireNotRewound();
    assembler = goTo(assembler.state());
    if (before.containsAll(assembler.reads())) {
      throw new StreamCorruptException(String.valueOf(unread.getMessage()));
    }
  }

  /** Position after the last batch that was handed out. */
  public StreamState state() {
    return assembler.state();
  }

  /**
   * Goes to a state, so that the next batch is the one after it.
   *
   * @throws InvalidStateException if the state cannot be one of the run's
   * @throws RewoundException if the run was rewound to a batch before it
   */
  public void seek(StreamState state) {
    control.refresh();
    assembler = goTo(control.runTimeline().resume(run.runId(), state));
  }

  /** Goes to a batch, so that it is the next one. */
  public void seekToBatch(long batch) {
    control.refresh();
    assembler = goTo(control.runTimeline().before(run.runId(), batch));
  }

  /** Reads the control log on, unless no broker answers, which {@link #next} will say. */
  void follow() {
    askControlLog();
  }

  /** Where the run's batches lie, as far as the control log has been read. */
  RunTimeline runTimeline() {
    return control.runTimeline();
  }

  /** The run under the specification that governs a batch. */
  public RunInfo infoAt(long batch) {
    return control.infoAt(batch);
  }

  /** Blocks that could not be used and were handed on masked. */
  long undecodable() {
    return blocks.undecodable();
  }

  private void requireBatchesLeft() {
    long batches = control.runTimeline().spec().getBatches();
    if (batches > 0 && assembler.lastBatch() >= batches) {
      throw new RunEndedException(
          run.runId(), "completed", assembler.lastBatch(), batches + " batches");
    }
  }

  private void requireNotRewound() {
    int own = assembler.timeline();
    Timelines timelines = control.runTimeline().timelines();
    if (assembler.lastBatch() >= timelines.end(own)) {
      throw new RewoundException(own, timelines.newest(), timelines.end(own));
    }
  }

  /** Reads what an ended run has left; fails if that does not complete the batch. */
  private Optional<GlobalBatch> takeUnlessEnded() {
    Optional<GlobalBatch> batch = take();
    RunLogFold status = control.run();
    if (!status.hasEndedBefore(assembler.awaited().batch())) {
      return batch;
    }
    try {
      return batch.isPresent() ? batch : rest(status);
    } catch (KafkaUnreachableException e) {
      return Optional.empty();
    }
  }

  /** What the stream still has; that of a failed or deleted run may be gone. */
  private Optional<GlobalBatch> rest(RunLogFold status) {
    if (status.emitsNoMore() && cursor.isGone()) {
      throw ended(status);
    }
    Map<TopicPartition, Long> ends = cursor.ends();
    long until = nanoTime.getAsLong() + TO_READ_THE_REST.toNanos();
    while (!astray.isEmpty() || !cursor.hasRead(ends, assembler)) {
      if (nanoTime.getAsLong() - until > 0) {
        return Optional.empty();
      }
      read(POLL);
      Optional<GlobalBatch> batch = take();
      if (batch.isPresent()) {
        return batch;
      }
    }
    if (status.granted() >= assembler.awaited().batch()) {
      cursor.requireRetained(assembler);
    }
    throw ended(status);
  }

  private RunEndedException ended(RunLogFold status) {
    return new RunEndedException(run.runId(), status.state(), assembler.lastBatch(), status.why());
  }

  /** Brings the run's status up to date and says what the awaited batch waits for. */
  private String askControlLog() {
    try {
      control.refresh();
    } catch (KafkaUnreachableException e) {
      assembler.heardNothing();
      heard = false;
      return String.valueOf(e.getMessage());
    }
    heard = true;
    requireNotRewound();
    return control.run().describe(assembler.awaited().batch())
        + cursor.note(assembler)
        + masks.note()
        + astray;
  }

  @Override
  public void close() {
    cursor.close();
    control.close();
  }
}
