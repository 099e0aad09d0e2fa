package io.sluice.control.controller;

import io.sluice.control.snapshot.SnapshotWriter;
import io.sluice.control.supply.SupplyIndex;
import io.sluice.control.topics.RunLog;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunRevised;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where one run's events come in and its proposals and statuses go out. State changes only on
 * reading the log back; everything that must survive a crash is written through to the store, and
 * everything else (the proposal in flight, the waiting clock) must not survive one.
 *
 * <p>Every event returns what is to be done. After each, {@link #wakeAt} says when {@link #onTimer}
 * is due if nothing happens before. Times are milliseconds of one clock; they decide when something
 * is proposed, never what.
 */
public final class RunController {
  /** All that is kept of a deleted run: without it, its first command would start it again. */
  private static final String DELETED = "deleted";

  private static final byte[] VERSION_1 = {1};

  private static final long HEARTBEAT_MILLIS = 1_000;

  /**
   * How long what trainers say of a run is kept that nobody has started, once the control log is
   * read: its start comes before anybody can train on it.
   */
  static final long UNKNOWN_MILLIS = 600_000;

  private final Instance instance;
  private final RunStore store;
  private final RunJournal notes;
  private final RunPolicy policies = new RunPolicy();
  private final FeedbackStore feedback;
  private final PendingCommands commands;
  private final TrainerRegistry trainers;
  private final EarlyProgress progresses;
  private final Proposer proposer;
  private @Nullable PersistedRun fold;
  private final ProposalInFlight inFlight = new ProposalInFlight();
  private final RoundClock clock = new RoundClock();
  private final ReclaimClock reclaims = new ReclaimClock();
  private final StatusPublisher publisher;
  private long catchUpUntil;
  private final long openedMillis;
  private boolean deleted;
  private boolean forgotten;

  /**
   * The process that a controller belongs to.
   *
   * @param writer nonce that marks its proposals
   * @param openedMillis when it began; what is older was written for a predecessor
   * @param supply shared by all controllers
   * @param log how far it has caught up with the control log, shared by all controllers
   * @param snapshotEvery entries from one snapshot of a run's own log to the next
   */
  public record Instance(
      String writer, long openedMillis, SupplyIndex supply, LogCatchUp log, int snapshotEvery) {
    /** A process that has read nothing. */
    public Instance(String writer, long openedMillis, SupplyIndex supply) {
      this(writer, openedMillis, supply, new LogCatchUp(), SnapshotWriter.EVERY);
    }
  }

  /** The controller as the store has it. */
  public RunController(String runId, RunStore store, Instance instance, long now) {
    this.instance = instance;
    this.store = store;
    Map<String, byte[]> parts = store.load();
    this.notes = RunJournal.open(store, parts);
    this.trainers = new TrainerRegistry(store, parts);
    this.feedback = new FeedbackStore(store, parts, policies, notes, trainers);
    this.commands = new PendingCommands(store, parts);
    this.progresses = new EarlyProgress(store, parts, trainers, notes);
    this.proposer =
        new Proposer(runId, instance, policies, commands, feedback, trainers, notes, clock);
    this.fold = PersistedRun.open(store, parts, instance.snapshotEvery()).orElse(null);
    if (fold != null) {
      inFlight.follow(fold.state().position().serial());
    }
    this.publisher = new StatusPublisher(runId, inFlight);
    this.openedMillis = now;
    this.catchUpUntil = parts.isEmpty() ? 0 : now + LogCatchUp.QUIET_MILLIS;
    this.deleted = parts.containsKey(DELETED);
    if (fold != null && !isClosed()) {
      // What was held while the policy was not on the class path may be due.
      feedback.follow(fold.state());
    }
  }

  /**
   * A record of the run was read.
   *
   * @param from the log that has it
   * @param value its bytes
   */
  public List<RunEffect> onControl(
      ControlRecord record, RunLog from, long offset, byte[] value, long now) {
    if (record.getTimeMillis() < instance.openedMillis()) {
      instance.log().readOld(now);
    }
    if (isClosed()) {
      return List.of();
    }
    catchUp(record.getTimeMillis(), now);
    if (!record.getWriter().equals(instance.writer())
        && record.getTimeMillis() > instance.openedMillis()) {
      publisher.otherWriter(record.getWriter(), record.getTimeMillis(), now);
    }
    try {
      follow(record, from, offset, value, now);
    } catch (RuntimeException e) {
      // Whatever is wrong with one run's log must not stop the others.
      notes.breakOff("control log at offset " + offset + ": " + e.getMessage());
    }
    return settle(now);
  }

  private void follow(ControlRecord record, RunLog from, long offset, byte[] value, long now) {
    PersistedRun log = fold;
    Optional<String> lost = log == null ? Optional.empty() : log.lost(record, from, offset, value);
    if (lost.isPresent()) {
      lose(record, from, offset, value, lost.get(), now);
      return;
    }
    int timeline = log == null ? 0 : log.state().position().timeline();
    if (log == null && commands.mayStartIn(from) && PersistedRun.starts(record, value, from)) {
      log = PersistedRun.start(store, from, record, offset, value, instance.snapshotEvery());
      fold = log;
      timeline = log.state().position().timeline();
      notes.name(log.spec().getRun());
      notes.begin(log.begins());
    } else if (log == null || log.log() != from || !log.apply(record, offset, value)) {
      notes.ignoreControl();
      return;
    }
    RunState state = log.state();
    inFlight.follow(state.position().serial());
    if (record.getBody() instanceof RunRevised) {
      clock.stop();
    }
    if (state.position().timeline() != timeline) {
      notes.rewind(state.position().granted());
      trainers.forgetCheckpoints();
      reclaims.rewind();
    }
    notes.follow(state.position().granted());
    commands.follow(state, notes);
    feedback.follow(state);
    progresses.follow(state);
    if (state.phase() == RunPhase.FAILED) {
      notes.fail(record.getBody() instanceof LogSnapshot said ? said.getWhy() : record.getWhy());
    } else {
      notes.recover();
    }
  }

  /** Ends a run in what its log has left: batches granted there again might be others. */
  private void lose(
      ControlRecord record, RunLog from, long offset, byte[] value, String reason, long now) {
    if (fold != null && fold.goesOn(offset)) {
      commands.fail(record.getRunId(), reason, now);
    } else if (from == RunLog.SHARED || !PersistedRun.starts(record, value, from)) {
      notes.breakOff(reason);
    } else {
      fold = PersistedRun.restart(store, record, offset, value, instance.snapshotEvery());
      inFlight.restart(record.getSerial());
      commands.fail(record.getRunId(), reason, now);
      catchUpUntil = now + LogCatchUp.QUIET_MILLIS;
    }
  }

  /** Somebody asks something of the run. */
  public List<RunEffect> onCommand(RunCommand command, long now) {
    instance.log().read(command, instance.openedMillis(), now);
    if (!deleted && isLost() && PendingCommands.asksForDeletion(command)) {
      return forget(now);
    }
    if (isClosed()) {
      return List.of();
    }
    catchUp(command.getTimeMillis(), now);
    commands.take(command, fold, command.getTimeMillis() < instance.openedMillis(), notes);
    return settle(now);
  }

  /** Whether the log can say nothing more about the run: it is broken, or was never begun. */
  private boolean isLost() {
    return notes.broken() || (fold == null && !notes.failure().isEmpty());
  }

  /** A trainer's rank has measured something. */
  public List<RunEffect> onFeedback(TrainerFeedback message, long now) {
    if (isClosed()) {
      return List.of();
    }
    trainers.heard(message.getRank(), now);
    feedback.hear(message, fold == null ? null : fold.state());
    return settle(now);
  }

  /** A trainer's rank has come this far. */
  public List<RunEffect> onProgress(TrainerProgress progress, long now) {
    if (isClosed()) {
      return List.of();
    }
    trainers.heard(progress.getRank(), now);
    progresses.take(progress, fold == null ? null : fold.state());
    return settle(now);
  }

  /** A process trains the run from now on. */
  public List<RunEffect> onAttached(TrainerAttached attached, long now) {
    if (isClosed()) {
      return List.of();
    }
    try {
      trainers.attach(attached, now);
    } catch (IllegalArgumentException e) {
      notes.refuseFeedback("trainer " + e.getMessage());
    }
    return settle(now);
  }

  /** A record that seems to be the run's could not be read. */
  public List<RunEffect> onUndecodable(String reason, long now) {
    if (isClosed() || isUnknown()) {
      return List.of();
    }
    notes.refuseFeedback(reason);
    return settle(now);
  }

  /**
   * The time of {@link #wakeAt} has come, or supply has grown, which writes nothing to the store.
   */
  public List<RunEffect> onTimer(long now) {
    return settle(now);
  }

  /** Whether the run reads this dataset. */
  public boolean uses(String dataset, long fingerprint) {
    return fold != null
        && !deleted
        && fold.spec().getDataset().equals(dataset)
        && fold.spec().getFingerprint() == fingerprint;
  }

  /** Whether the run is deleted, so that nothing more can come of it. */
  public boolean isDeleted() {
    return deleted;
  }

  /** Whether nobody has started the run for so long that nothing of it is kept. */
  public boolean isForgotten() {
    return forgotten;
  }

  /** When {@link #onTimer} is due; {@link Long#MAX_VALUE} if never. */
  public long wakeAt(long now) {
    if (deleted || forgotten) {
      return Long.MAX_VALUE;
    }
    long due = isUnknown() ? unknownUntil() : publisher.dueMillis();
    if (isLive()) {
      due = Math.min(due, now + HEARTBEAT_MILLIS);
      due = Math.min(due, inFlight.dueMillis());
      due = Math.min(due, catchUpUntil > now ? catchUpUntil : Long.MAX_VALUE);
      due = Math.min(due, fold == null ? Long.MAX_VALUE : clock.dueMillis(fold.state(), now));
    }
    return Math.max(due, now + 1);
  }

  /** Whether trainers, or people, speak of a run that neither the log nor a command starts. */
  private boolean isUnknown() {
    return fold == null && notes.failure().isEmpty() && commands.start().isEmpty();
  }

  /** Its start is not sent again then, though the log may still come to show one that was. */
  private void withdraw(long now) {
    boolean begun = fold != null ? fold.state().position().serial() > 0 : inFlight.awaited(now);
    inFlight.withdraw(!begun && commands.isWithdrawn(inFlight.isWithdrawn()), now);
  }

  private long unknownUntil() {
    return Math.max(openedMillis, instance.log().oldReadMillis()) + UNKNOWN_MILLIS;
  }

  private boolean isClosed() {
    return deleted || forgotten || notes.broken();
  }

  private boolean isLive() {
    if (fold == null) {
      return notes.failure().isEmpty() && !commands.isEmpty();
    }
    return !notes.broken()
        && (!fold.state().phase().ended() || !commands.isEmpty() || fold.isSnapshotDue());
  }

  /**
   * What was written before this instance began is likely to be followed by more: a proposal made
   * before that is read would only lose.
   */
  private void catchUp(long writtenMillis, long now) {
    if (writtenMillis < instance.openedMillis()) {
      catchUpUntil = now + LogCatchUp.QUIET_MILLIS;
    }
  }

  private List<RunEffect> settle(long now) {
    if (deleted || forgotten) {
      return List.of();
    }
    if (isUnknown() && now >= unknownUntil()) {
      forgotten = true;
      store.clear();
      return List.of();
    }
    if (fold != null && fold.state().phase() == RunPhase.DELETED) {
      return forget(now);
    }
    withdraw(now);
    // Until then, what the log turns out to have started ends there.
    if (inFlight.isOver(unknownUntil(), now)) {
      return forget(now);
    }
    List<RunEffect> actions = new ArrayList<>();
    decide(now).ifPresent(actions::add);
    notes.keep();
    if (fold != null) {
      reclaims.due(fold, trainers.oldestCheckpoint(), now).ifPresent(actions::add);
    }
    if (!isUnknown()) {
      publisher
          .show(notes, trainers, fold, now)
          .map(RunEffect.Publish::new)
          .ifPresent(actions::add);
    }
    return actions;
  }

  /** The log has it all; here nothing is left but a mark, and a last status for people. */
  private List<RunEffect> forget(long now) {
    deleted = true;
    store.clear();
    store.put(DELETED, VERSION_1);
    await("", now);
    return List.of(new RunEffect.Publish(publisher.deleted(notes, trainers, fold, now)));
  }

  private Optional<RunEffect.Propose> decide(long now) {
    if (notes.broken() || (fold == null && !notes.failure().isEmpty())) {
      return await(notes.failure(), now);
    }
    if (inFlight.awaited(now)) {
      return await(proposer.unread(inFlight), now);
    }
    catchUpUntil = fold == null ? instance.log().mayStartAt(catchUpUntil) : catchUpUntil;
    if (now < catchUpUntil && isLive()) {
      return await("reads what the control log holds already", now);
    }
    if (fold == null && inFlight.isWithdrawn()) {
      return await(commands.withdrawn(instance.openedMillis()), now);
    }
    Proposer.Next next = fold == null ? proposer.start(now) : proposer.next(fold, now);
    try {
      next.entry().ifPresent(entry -> inFlight.sent(entry.record().getSerial(), now));
    } catch (InvariantViolatedException e) {
      notes.breakOff(String.valueOf(e.getMessage()));
      return await(notes.failure(), now);
    }
    await(next.entry().isPresent() ? proposer.unread(inFlight) : next.waits(), now);
    return next.entry();
  }

  private Optional<RunEffect.Propose> await(String reason, long now) {
    publisher.waits(reason, fold == null ? -1 : fold.state().position().serial(), now);
    return Optional.empty();
  }
}
