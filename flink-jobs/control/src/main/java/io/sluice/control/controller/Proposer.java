package io.sluice.control.controller;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.decide.Inputs;
import io.sluice.mixture.decide.Outcome;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.UnknownPolicyException;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.Limits;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Optional;

/** What a controller writes to the log next, from everything that it knows. */
final class Proposer {
  private final String runId;
  private final RunController.Instance instance;
  private final RunPolicy policies;
  private final PendingCommands commands;
  private final FeedbackStore feedback;
  private final TrainerRegistry trainers;
  private final RunJournal notes;
  private final RoundClock clock;
  private final Silence silence = new Silence();

  /**
   * An entry to write, or what it waits for.
   *
   * @param waits '' when there is an entry, or nothing to do
   */
  record Next(Optional<RunEffect.Propose> entry, String waits) {
    private static Next write(RunEffect.Propose entry) {
      return new Next(Optional.of(entry), "");
    }

    private static Next await(String reason) {
      return new Next(Optional.empty(), reason);
    }
  }

  Proposer(
      String runId,
      RunController.Instance instance,
      RunPolicy policies,
      PendingCommands commands,
      FeedbackStore feedback,
      TrainerRegistry trainers,
      RunJournal notes,
      RoundClock clock) {
    this.runId = runId;
    this.instance = instance;
    this.policies = policies;
    this.commands = commands;
    this.feedback = feedback;
    this.trainers = trainers;
    this.notes = notes;
    this.clock = clock;
  }

  /** The record that starts the run, if somebody has asked for it. */
  Next start(long now) {
    Optional<ApplyRun> asked = commands.start();
    if (asked.isEmpty()) {
      return Next.await("");
    }
    try {
      ApplyRun whole = PendingCommands.resolved(asked.get());
      ControlEntry entry = PendingCommands.start(runId, whole);
      ControlRecord record = ControlWire.started(entry, whole, instance.writer(), now);
      return Next.write(fitting(record, PendingCommands.log(whole)));
    } catch (UnknownPolicyException e) {
      // Taken by an instance that had it.
      return Next.await(e.missingFrom("the job"));
    } catch (IllegalArgumentException e) {
      // The log has no room for it.
      notes.fail(String.valueOf(e.getMessage()));
      return Next.await(notes.failure());
    }
  }

  /** What is waited for while an entry is not read back; '' while that is nothing unusual. */
  String unread(ProposalInFlight inFlight) {
    String waiting = inFlight.waiting();
    boolean own = commands.start().map(PendingCommands::log).orElse(RunLog.SHARED) == RunLog.OWN;
    // Always the same words: a status is not written anew for each time that it is sent.
    return waiting.isEmpty() || !own
        ? waiting
        : "control log: the start was sent again and not read back, there may be no topic control."
            + runId;
  }

  /** The next record of a started run. */
  Next next(PersistedRun log, long now) {
    if (log.isSnapshotDue()) {
      Optional<ControlRecord> snapshot = log.snapshot(instance.writer(), now);
      if (snapshot.isPresent()) {
        return Next.write(fitting(snapshot.get(), log.log()));
      }
    }
    RunState state = log.state();
    Outcome outcome = outcome(log, now);
    if (outcome instanceof Outcome.Propose propose) {
      return Next.write(fitting(propose.entry(), log, now));
    }
    if (outcome instanceof Outcome.Wait wait) {
      if (wait.forFeedback()) {
        clock.start(state.round(), now);
      }
      return Next.await(wait.reason());
    }
    return Next.await(notes.failure());
  }

  /**
   * The entry, or in place of one that the log has no room for, its end: a command is refused, and
   * a run that cannot grant fails.
   */
  private RunEffect.Propose fitting(ControlEntry entry, PersistedRun log, long now) {
    try {
      return fitting(record(entry, log, now), log.log());
    } catch (IllegalArgumentException e) {
      RunState state = log.state();
      ControlEntry.Body instead =
          entry.body() instanceof ControlEntry.Revised revised
              ? new ControlEntry.Refused(state.phase(), revised.commandId())
              : new ControlEntry.PhaseChange(RunPhase.FAILED, "");
      ControlEntry end =
          new ControlEntry(
              runId,
              state.position().timeline(),
              entry.serial(),
              entry.basedOn(),
              entry.digests(),
              String.valueOf(e.getMessage()),
              instead);
      return fitting(ControlWire.write(end, instance.writer(), now), log.log());
    }
  }

  private static RunEffect.Propose fitting(ControlRecord record, RunLog log) {
    String what = "entry " + record.getSerial() + " of the control log";
    byte[] value = ControlWire.encode(record, log);
    Limits.requireRecord(what, value);
    return new RunEffect.Propose(record, value, log);
  }

  private ControlRecord record(ControlEntry entry, PersistedRun log, long now) {
    if (entry.body() instanceof ControlEntry.Revised revised) {
      long granted = log.state().position().granted();
      RunSpec spec = commands.spec(revised.commandId(), granted).orElse(log.spec());
      return ControlWire.revised(entry, spec, instance.writer(), now);
    }
    return ControlWire.write(entry, instance.writer(), now);
  }

  /** What the run's rounds need; of a run that was started before that was kept, its policy's. */
  private List<String> measured(PersistedRun log) {
    List<RequiredMetric> metrics = log.spec().getMetrics();
    return metrics == null
        ? policies.find(log.state().settings()).map(Policy::metrics).orElse(List.of())
        : metrics.stream().map(RequiredMetric::getName).toList();
  }

  private Outcome outcome(PersistedRun log, long now) {
    RunState state = log.state();
    List<String> measured = measured(log);
    try {
      return GrantPlanner.next(
          state,
          policies,
          new Inputs(
              feedback.reports(),
              instance.supply().of(log.spec()),
              new Inputs.Trainers(
                  notes.trainers().batch(),
                  Math.max(log.begins(), trainers.oldestCheckpoint()),
                  notes.trainers().reportEvery(),
                  silence.millis(notes.trainers().batch(), now),
                  trainers.lacking(measured)),
              commands.asked(log, measured, trainers),
              clock.waitedMillis(state.round(), now)));
    } catch (RuntimeException e) {
      // One run that cannot be decided on must not stop the others; a later version may manage.
      return new Outcome.Wait("cannot decide: " + e, false);
    }
  }

  /** How long ago trainers' progress last changed, as far as this instance has seen. Not kept. */
  private static final class Silence {
    private long progress = -1;
    private long sinceMillis;

    long millis(long seen, long now) {
      if (seen != progress) {
        progress = seen;
        sinceMillis = now;
      }
      return now - sinceMillis;
    }
  }
}
