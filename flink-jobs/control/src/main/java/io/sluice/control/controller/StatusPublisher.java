package io.sluice.control.controller;

import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.Limits;
import io.sluice.schema.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people see of a run: published when something but the time has changed, and not too often.
 */
final class StatusPublisher {
  private static final long INTERVAL_MILLIS = 200;

  /** A trainer's words are no news before this long after the last that was shown. */
  private static final long HEARD_MILLIS = 10_000;

  /** Another writer that was not seen for this long is gone. */
  private static final long RECENT_MILLIS = 60_000;

  private final String runId;
  private final ProposalInFlight inFlight;
  private String waiting = "";
  private long waitingSinceMillis;
  private long waitingSerial;
  private String otherWriter = "";
  private long otherSeenMillis;
  private @Nullable RunStatus shown;
  private boolean behind;

  StatusPublisher(String runId, ProposalInFlight inFlight) {
    this.runId = runId;
    this.inFlight = inFlight;
  }

  /**
   * What the run waits for now; '' for nothing.
   *
   * @param serial of the log's current entry: another entry begins another wait
   */
  void waits(String reason, long serial, long now) {
    if (waiting.isEmpty() || serial != waitingSerial) {
      waitingSinceMillis = now;
      waitingSerial = serial;
    }
    waiting = Limits.shortened(reason, Limits.TEXT);
  }

  /** Another instance, which began later than this one or goes on beside it, writes entries. */
  void otherWriter(String nonce, long wroteMillis, long now) {
    otherWriter =
        Limits.shortened(nonce, Limits.NONCE) + ", last at " + Instant.ofEpochMilli(wroteMillis);
    otherSeenMillis = now;
  }

  /**
   * The run's status, if it is to be published now.
   *
   * @param fold null before the run's start is read back
   */
  Optional<RunStatus> show(
      RunJournal notes, TrainerRegistry trainers, @Nullable PersistedRun fold, long now) {
    RunStatus status = status(notes, trainers, fold, now);
    RunStatus last = shown;
    if (last != null) {
      behind = !asOf(last, status).equals(last);
      if (!behind || now < last.getTimeMillis() + INTERVAL_MILLIS) {
        return Optional.empty();
      }
    }
    shown = status;
    behind = false;
    return Optional.of(status);
  }

  /** What is to be shown, as it would have been when the last status was. */
  private static RunStatus asOf(RunStatus last, RunStatus status) {
    RunStatus.Builder then = RunStatus.newBuilder(status).setTimeMillis(last.getTimeMillis());
    List<Long> before = last.getHeardMillis();
    List<Long> heard = new ArrayList<>(status.getHeardMillis());
    for (int i = 0; i < Math.min(before.size(), heard.size()); i++) {
      if (before.get(i) > 0 && heard.get(i) < before.get(i) + HEARD_MILLIS) {
        heard.set(i, before.get(i));
      }
    }
    if (exposedAgain(last, status)) {
      then.setExposed(last.getExposed());
    }
    return then.setHeardMillis(heard).build();
  }

  /** Whether nothing but what the loops waited for is new, and that was shown a moment ago. */
  private static boolean exposedAgain(RunStatus last, RunStatus status) {
    return last.getExposed().size() == status.getExposed().size()
        && status.getTimeMillis() < last.getTimeMillis() + HEARD_MILLIS;
  }

  /** When a change that came too early may be published. */
  long dueMillis() {
    RunStatus last = shown;
    return last == null || !behind ? Long.MAX_VALUE : last.getTimeMillis() + INTERVAL_MILLIS;
  }

  /** The last status of a run. */
  RunStatus deleted(
      RunJournal notes, TrainerRegistry trainers, @Nullable PersistedRun fold, long now) {
    return RunStatus.newBuilder(status(notes, trainers, fold, now))
        .setPhase(RunPhase.DELETED.wireName())
        .setWaiting("")
        .build();
  }

  private RunStatus status(
      RunJournal notes, TrainerRegistry trainers, @Nullable PersistedRun fold, long now) {
    RunStatus.Builder status =
        RunStatus.newBuilder()
            .setRunId(runId)
            .setRun(notes.run())
            .setPhase(inFlight.isWithdrawn() ? RunPhase.DELETED.wireName() : "starting")
            .setTimeline(0)
            .setGranted(0)
            .setWeightsVersion(0)
            .setProgress(notes.trainers().batch())
            .setWaiting(waiting)
            .setWaitingSinceMillis(waiting.isEmpty() ? 0 : waitingSinceMillis)
            .setRefusedFeedback(notes.refusals().refused())
            .setLastRefusal(notes.refusals().last())
            .setRepeatedFeedback(notes.refusals().repeated())
            .setLastRepeated(notes.refusals().lastRepeated())
            .setIgnoredControl(notes.ignoredControl())
            .setOtherWriter(now - otherSeenMillis < RECENT_MILLIS ? otherWriter : "")
            .setOldestCheckpoint(trainers.oldestCheckpoint())
            .setTrainers(
                trainers.lines().stream().map(l -> Limits.shortened(l, Limits.TEXT)).toList())
            .setHeardMillis(trainers.heard())
            .setExposed(trainers.exposed())
            .setTimeMillis(now);
    if (fold != null) {
      RunState state = fold.state();
      status
          .setPhase((inFlight.isWithdrawn() ? RunPhase.DELETED : state.phase()).wireName())
          .setTimeline(state.position().timeline())
          .setGranted(state.position().granted())
          .setWeightsVersion(state.weightsVersion());
    }
    if (!notes.failure().isEmpty()) {
      status.setPhase("failed");
    }
    return status.build();
  }
}
