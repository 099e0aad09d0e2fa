package io.sluice.client.stream;

import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.RunTimeline;
import io.sluice.client.run.SetSource;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.WaitCause;
import io.sluice.client.wait.WaitMarks;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A rank's rows of the global batches of one run in order, each exactly once; the trainer's batches
 * without its thread. Not thread-safe, except where it says so.
 */
public abstract sealed class BatchReader implements AutoCloseable
    permits StreamReader, DerivedReader {
  /** Until something is done again while a batch is awaited. */
  static final Duration POLL = Duration.ofMillis(100);

  /** Until the control log is asked while the loop stands still; twice as long each time. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(50);

  private final RunInfo run;
  private final StreamOptions options;
  private final LongSupplier nanoTime;
  private final BatchMasks masks;
  private WaitMarks marks = new WaitMarks();
  private long asked;
  private long askAgain = FIRST_LOOK.toNanos();
  private boolean heard = true;
  private volatile boolean awaitedNow;
  private volatile WaitCause lastCause = WaitCause.NETWORK;

  BatchReader(RunInfo run, StreamOptions options, SetSource sets, LongSupplier nanoTime) {
    this.run = run;
    this.options = options;
    this.nanoTime = nanoTime;
    this.masks = new BatchMasks(sets, options.statusInterval(), options.gapTimeout(), nanoTime);
  }

  /** The run as it was opened. */
  RunInfo run() {
    return run;
  }

  StreamOptions options() {
    return options;
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** The run's log, as far as it has been read. */
  abstract ControlFollower control();

  /** Number of the last batch that was handed out. */
  abstract long lastBatch();

  /** The newest timeline that is followed. */
  abstract int timeline();

  /** Position after the last batch that was handed out. */
  public abstract StreamState state();

  /** Goes to a state that is one of the run's. */
  abstract void goTo(StreamState state);

  /** The next batch, if it is there now. */
  abstract Optional<GlobalBatch> take();

  /** Reads on, or waits for something to come. */
  abstract void read(Duration wait);

  /** What the next batch waits for, which is granted, as far as is known without asking. */
  abstract WaitCause cause();

  /** What is left of the next batch, now that its run has ended before it; fails if it is not. */
  abstract Optional<GlobalBatch> takeUnlessEnded();

  /** What the awaited batch waits for beside its masks. */
  abstract String describe();

  /** Why it is not known where to read on; empty where it is. */
  abstract String astray();

  /** No broker has answered. */
  abstract void heardNothing();

  /** The error for a batch that did not come in time; any thread may ask. */
  abstract StreamStalledException stalled(Duration timeout, String waitsFor);

  /** Bytes of its own in which it reads ahead. */
  abstract long buffers();

  /** Blocks that could not be used and were handed on masked. */
  abstract long undecodable();

  /**
   * The next batch; waits for it.
   *
   * @throws io.sluice.client.error.StreamException if it did not come in time, or will not come
   */
  public GlobalBatch next(Duration timeout) {
    requireBatchesLeft();
    long start = nanoTime();
    asked = start;
    Optional<GlobalBatch> batch = take();
    while (batch.isEmpty()) {
      long now = nanoTime();
      long left = timeout.toNanos() - (now - start);
      WaitCause cause = currentCause();
      lastCause = cause;
      if (left > 0 && now - asked < untilAsked()) {
        read(Duration.ofNanos(Math.min(left, POLL.toNanos())));
        batch = take();
        marks.add(nanoTime(), cause);
        continue;
      }
      String waitsFor = askControlLog();
      asked = now;
      askAgain = 2 * Math.min(askAgain, options.statusInterval().toNanos());
      marks.add(nanoTime(), currentCause());
      batch = take();
      if (batch.isEmpty() && control().run().hasEndedBefore(lastBatch() + 1)) {
        batch = takeUnlessEnded();
      }
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

  private WaitCause currentCause() {
    if (!heard || !astray().isEmpty()) {
      return WaitCause.BROKER;
    }
    return lastBatch() >= control().run().granted() ? WaitCause.GRANT : cause();
  }

  /** Whether the documents are known that the next batch masks; looks for them. */
  boolean knowsMasks() {
    return masks.know(nextSpec(), lastBatch() + 1);
  }

  /** The documents that the next batch masks, which are known. */
  MaskedDocuments nextMasks() {
    return masks.of(nextSpec(), lastBatch() + 1);
  }

  private RunSpec nextSpec() {
    return infoAt(lastBatch() + 1).spec();
  }

  /**
   * Goes to a state, so that the next batch is the one after it.
   *
   * @throws io.sluice.client.error.InvalidStateException if the state cannot be one of the run's
   * @throws RewoundException if the run was rewound to a batch before it
   */
  public void seek(StreamState state) {
    control().refresh();
    goTo(control().runTimeline().resume(run.runId(), state));
  }

  /** Goes to a batch, so that it is the next one. */
  public void seekToBatch(long batch) {
    control().refresh();
    goTo(control().runTimeline().before(run.runId(), batch));
  }

  /** Reads the control log on, unless no broker answers, which {@link #next} will say. */
  void follow() {
    askControlLog();
  }

  /** Where the run's batches lie, as far as the control log has been read. */
  RunTimeline runTimeline() {
    return control().runTimeline();
  }

  /** The run under the specification that governs a batch. */
  public RunInfo infoAt(long batch) {
    return control().infoAt(batch);
  }

  private void requireBatchesLeft() {
    long batches = runTimeline().spec().getBatches();
    if (batches > 0 && lastBatch() >= batches) {
      throw new RunEndedException(run.runId(), "completed", lastBatch(), batches + " batches");
    }
  }

  /** Fails if a timeline is known that ends the followed one before the next batch. */
  void requireNotRewound() {
    Timelines timelines = runTimeline().timelines();
    if (lastBatch() >= timelines.end(timeline())) {
      throw new RewoundException(timeline(), timelines.newest(), timelines.end(timeline()));
    }
  }

  RunEndedException ended() {
    RunLogFold status = control().run();
    return new RunEndedException(run.runId(), status.state(), lastBatch(), status.why());
  }

  /** Brings the run's status up to date and says what the awaited batch waits for. */
  String askControlLog() {
    try {
      control().refresh();
    } catch (KafkaUnreachableException e) {
      heardNothing();
      heard = false;
      return String.valueOf(e.getMessage());
    }
    heard = true;
    requireNotRewound();
    return describe() + masks.note() + astray();
  }

  @Override
  public abstract void close();
}
