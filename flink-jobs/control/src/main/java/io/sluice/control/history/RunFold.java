package io.sluice.control.history;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a run's control log folds to, as far as it is read; its entries are not kept. Folding them
 * replays the plan: a log whose counts do not follow from its weights cannot be read.
 */
public final class RunFold {
  private final ControlEntry first;
  private final RunStarted started;
  private final String topic;
  private final RunState state;
  private final Acceptance acceptance;
  private final TreeMap<Long, RunSpec> specs = new TreeMap<>();
  private String why;
  private long rounds;
  private long next;

  /** What applies an entry to the state if it is the next one, and says whether it was. */
  @FunctionalInterface
  interface Acceptance {
    boolean apply(ControlEntry entry, long offset);
  }

  /**
   * A fold of a log of one entry, which starts the run.
   *
   * @param state after it
   * @param acceptance that changes the state
   */
  RunFold(LoggedEntry first, RunState state, Acceptance acceptance) {
    this.first = first.entry();
    this.started = (RunStarted) first.record().getBody();
    this.topic = first.message().topic();
    this.next = first.message().offset() + 1;
    this.state = state;
    this.acceptance = acceptance;
    this.why = this.first.why();
    specs.put(this.first.serial(), started.getSpec());
  }

  /** The fold of a log of one entry, which starts the run. */
  static RunFold begun(LoggedEntry first) {
    RunState state = RunState.started(first.entry(), first.message().offset());
    return new RunFold(first, state, state::apply);
  }

  /** Takes the next record of the log; the entry that it holds, if it applies. */
  Optional<ControlEntry> take(ConsumerRecord<byte[], byte[]> message) {
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
    why = entry.why();
    if (entry.body() instanceof Grant grant && grant.decision().isPresent()) {
      rounds++;
    }
    if (logged.record().getBody() instanceof RunRevised revised) {
      specs.put(entry.serial(), revised.getSpec());
    }
    return entry;
  }

  /** What the run's first entry says. */
  public Started first() {
    return (Started) first.body();
  }

  /** Where the log is. */
  String topic() {
    return topic;
  }

  /** Offset of the first record that is not read. */
  long next() {
    return next;
  }

  /** Name and suffix. */
  public String runId() {
    return first.runId();
  }

  /** What people call the run. */
  public String name() {
    return started.getSpec().getRun();
  }

  /** The specification that the run began with, or last went over to. */
  public RunSpec spec() {
    return specs.lastEntry().getValue();
  }

  /** The specification in force once the entry of a serial was applied. */
  public RunSpec specAt(long serial) {
    return specs.floorEntry(serial).getValue();
  }

  /** The batch of another run that this one goes on from, for a fork. */
  public Optional<RunOrigin> origin() {
    return Optional.ofNullable(started.getOrigin());
  }

  /** The state after the last entry. */
  public RunState state() {
    return state;
  }

  /** The reason of the last entry. */
  public String why() {
    return why;
  }

  /** How many rounds were closed, those of earlier timelines included. */
  public long rounds() {
    return rounds;
  }
}
