package io.sluice.client.stream;

import io.sluice.client.cache.ObjectAwaitedException;
import io.sluice.client.derive.Derivation;
import io.sluice.client.derive.DerivedBatch;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.RunTimeline;
import io.sluice.client.run.SetSource;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.WaitCause;
import io.sluice.client.segment.SegmentReader;
import io.sluice.client.segment.SegmentTable;
import io.sluice.schema.KafkaUnreachableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Batches of a run without a stream: which rows they have follows from the run's log, and the rows
 * are read from segments.
 */
final class DerivedReader extends BatchReader {
  private final Logs logs;
  private final SegmentTable table;
  private final SegmentReader segments;
  private Derivation derivation;
  private ControlFollower control;
  private StreamState state;
  private int timeline;
  private volatile long next;
  private long looked;
  private long followed;
  private String lacking = "";
  private WaitCause lackingCause = WaitCause.EMISSION;
  private String astray = "";

  /** Opens the run's log. */
  interface Logs {
    /** A log that is read for this, from where batches after one can be derived. */
    ControlFollower open(Derivation derivation, long after);
  }

  /**
   * A reader before the run's first batch.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  DerivedReader(
      RunInfo run,
      StreamOptions options,
      Logs logs,
      SegmentTable table,
      SegmentReader segments,
      SetSource sets,
      LongSupplier nanoTime) {
    super(run, options, sets, nanoTime);
    this.logs = logs;
    this.table = table;
    this.segments = segments;
    this.derivation = new Derivation(run.runId(), Long.MAX_VALUE);
    this.control = logs.open(derivation, Long.MAX_VALUE);
    this.followed = nanoTime();
    try {
      control.refresh();
      this.state = control.runTimeline().start(run.runId());
      goTo(state);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  void goTo(StreamState to) {
    RunTimeline known = control.runTimeline();
    options().rank().requireShares(known.schedule(), to.batch(), known.spec().getBatches());
    state = to;
    next = to.batch() + 1;
    timeline = known.timelines().newest();
    looked = 0;
    lacking = "";
  }

  @Override
  ControlFollower control() {
    return control;
  }

  @Override
  long lastBatch() {
    return state.batch();
  }

  @Override
  int timeline() {
    return timeline;
  }

  @Override
  public StreamState state() {
    return state;
  }

  @Override
  Optional<GlobalBatch> take() {
    try {
      return takeNow();
    } catch (KafkaUnreachableException e) {
      astray = "; " + e.getMessage();
      return Optional.empty();
    } catch (ObjectAwaitedException e) {
      lacking = String.valueOf(e.getMessage());
      lackingCause = WaitCause.NETWORK;
      return Optional.empty();
    }
  }

  private Optional<GlobalBatch> takeNow() {
    follow(nanoTime());
    requireNotRewound();
    long batch = lastBatch() + 1;
    if (derivation.isPast(batch)) {
      goBackTo(batch);
    }
    if (!derivation.has(batch) || !knowsMasks()) {
      return Optional.empty();
    }
    Optional<DerivedBatch> derived = sealed(batch);
    astray = "";
    return derived.map(this::read);
  }

  /** Reads what came of the log now and then: what is granted may have been taken back. */
  private void follow(long now) {
    if (now - followed >= options().statusInterval().toNanos()) {
      followed = now;
      control.await(Duration.ZERO);
      segments.letGoOfEvicted();
    }
  }

  /** What was read of the log may begin behind a batch, and what is derived is dropped. */
  private void goBackTo(long batch) {
    Derivation earlier = new Derivation(run().runId(), batch);
    ControlFollower log = logs.open(earlier, batch - 1);
    try {
      log.refresh();
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
    control.close();
    control = log;
    derivation = earlier;
    requireNotRewound();
  }

  /** The batch, if all of its blocks are sealed, as far as is known or, once, as is said now. */
  private Optional<DerivedBatch> sealed(long batch) {
    DerivedBatch derived = derivation.derive(batch, options().rank(), table);
    Optional<String> lacks = segments.lacks(derived);
    if (lacks.isPresent() && looked != batch) {
      table.refresh();
      looked = batch;
      derived = derivation.derive(batch, options().rank(), table);
      lacks = segments.lacks(derived);
    }
    lacking = lacks.orElse("");
    lackingCause = WaitCause.EMISSION;
    return lacks.isPresent() ? Optional.empty() : Optional.of(derived);
  }

  private GlobalBatch read(DerivedBatch derived) {
    if (derived.firstIndex() != state.firstIndex()) {
      throw new StreamCorruptException(
          "batch "
              + derived.batch()
              + " begins at sequence "
              + derived.firstIndex()
              + ", the batch before it ends at "
              + state.firstIndex());
    }
    SegmentReader.Rows rows = segments.read(derived);
    GlobalBatch batch =
        new GlobalBatch(
            derived.timeline(),
            derived.batch(),
            derived.firstIndex(),
            derived.size(),
            derived.weightsVersion(),
            rows.digest(),
            rows.sequences());
    GlobalBatch masked = batch.without(nextMasks());
    state =
        new StreamState(
            run().runId(),
            derived.timeline(),
            derived.batch(),
            derived.firstIndex() + derived.size());
    next = derived.batch() + 1;
    return masked;
  }

  @Override
  void read(Duration wait) {
    try {
      control.await(wait);
    } catch (KafkaUnreachableException e) {
      astray = "; " + e.getMessage();
    }
  }

  @Override
  WaitCause cause() {
    return lacking.isEmpty() ? WaitCause.NETWORK : lackingCause;
  }

  /** What is granted can be read whatever becomes of the run, as long as it is sealed. */
  @Override
  Optional<GlobalBatch> takeUnlessEnded() {
    if (!astray.isEmpty()) {
      return Optional.empty();
    }
    throw ended();
  }

  @Override
  String describe() {
    looked = 0; // what is sealed is asked for anew
    return control.run().describe(lastBatch() + 1, lacking.isEmpty() ? "" : "but " + lacking);
  }

  @Override
  String astray() {
    return astray;
  }

  @Override
  void heardNothing() {
    // Nothing that was read is counted on to come.
  }

  @Override
  StreamStalledException stalled(Duration timeout, String waitsFor) {
    return new StreamStalledException(next, -1, -1, timeout, waitsFor);
  }

  @Override
  long buffers() {
    return 0;
  }

  @Override
  long undecodable() {
    return segments.undecodable();
  }

  @Override
  public void close() {
    control.close();
    table.close();
    segments.close();
  }
}
