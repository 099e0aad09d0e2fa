package io.sluice.control.history;

import io.sluice.control.snapshot.LogOutline;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.ForkPoint;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a run's control log folds to, as far as it is read; its entries are not kept. Folding them
 * replays the plan: a log whose counts do not follow from its weights cannot be read.
 */
public final class RunFold {
  private final ControlRecord first;
  private final String topic;
  private final RunState state;
  private final LogOutline outline;
  private final Acceptance acceptance;
  private final TreeMap<Long, RunSpec> specs = new TreeMap<>();
  private long next;

  /** What applies an entry to the state if it is the next one, and says whether it was. */
  @FunctionalInterface
  interface Acceptance {
    boolean apply(ControlEntry entry, long offset);
  }

  /**
   * A fold of a log of which one entry is known.
   *
   * @param first a start, or a snapshot of the log
   * @param state after it
   * @param acceptance that changes the state
   */
  RunFold(LoggedEntry first, RunState state, Acceptance acceptance) {
    this.first = first.record();
    this.topic = first.message().topic();
    this.next = first.message().offset() + 1;
    this.state = state;
    this.outline = LogOutline.begun(this.first, first.message().offset());
    this.acceptance = acceptance;
    specs.put(this.first.getSerial(), outline.spec());
  }

  /** The fold of a log of which one entry is known: a start, or a snapshot of the log. */
  static RunFold begun(LoggedEntry first) {
    long offset = first.message().offset();
    RunState state =
        first.record().getBody() instanceof LogSnapshot
            ? RunState.adopted(first.entry(), offset)
            : RunState.started(first.entry(), offset);
    return new RunFold(first, state, state::apply);
  }

  /**
   * The fold of a log of which one record is known.
   *
   * @return empty if that holds no entry of the run
   * @throws RuntimeException if the entry is neither a start nor a snapshot of the log
   */
  public static Optional<RunFold> begun(String runId, ConsumerRecord<byte[], byte[]> first) {
    return LoggedEntry.read(first, runId::equals).map(RunFold::begun);
  }

  /**
   * Takes the next record of the log; the entry that it holds, if it applies.
   *
   * @throws RuntimeException if it applies, but cannot be followed
   */
  public Optional<ControlEntry> take(ConsumerRecord<byte[], byte[]> message) {
    if (message.offset() < next) {
      return Optional.empty();
    }
    next = message.offset() + 1;
    return LoggedEntry.read(message, runId()::equals)
        .filter(logged -> acceptance.apply(logged.entry(), message.offset()))
        .map(this::accepted);
  }

  private ControlEntry accepted(LoggedEntry logged) {
    ControlEntry entry = logged.entry();
    outline.accept(logged.record(), logged.message().offset());
    if (logged.record().getBody() instanceof RunRevised revised) {
      specs.put(entry.serial(), revised.getSpec());
    }
    return entry;
  }

  /** The record that the fold began with. */
  ControlRecord first() {
    return first;
  }

  /** Where the log is. */
  public String topic() {
    return topic;
  }

  /** Offset of the first record that is not read. */
  public long next() {
    return next;
  }

  /** Name and suffix. */
  public String runId() {
    return first.getRunId();
  }

  /** What people call the run. */
  public String name() {
    return outline.spec().getRun();
  }

  /** Kafka's id of the topic that was made for the run's stream; '' if nobody knows. */
  public String streamTopicId() {
    return outline.streamTopicId();
  }

  /** The specification that the run began with, or last went over to. */
  public RunSpec spec() {
    return outline.spec();
  }

  /** The specification in force once the entry of a serial, which was read, was applied. */
  public RunSpec specAt(long serial) {
    return specs.floorEntry(serial).getValue();
  }

  /** The batch of another run that this one goes on from, for a fork. */
  public Optional<ForkPoint> origin() {
    return outline.origin();
  }

  /** The state after the last entry. */
  public RunState state() {
    return state;
  }

  /** The reason of the run's phase; '' when nothing has changed it. */
  public String why() {
    return outline.why();
  }

  /** How many rounds were closed, those of earlier timelines included. */
  public long rounds() {
    return outline.rounds();
  }
}
