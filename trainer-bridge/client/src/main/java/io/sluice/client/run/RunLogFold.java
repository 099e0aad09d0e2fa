package io.sluice.client.run;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.EntryStep;
import io.sluice.mixture.log.LogDoubts;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.PlanVersion;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.run.RowLengths;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far one run has come: the fold of its control records. */
public final class RunLogFold {
  private static final Set<String> GRANTS_NO_MORE = Set.of("completed", "stopped");
  private static final long NOWHERE = -2;
  private static final Set<String> EMITS_NO_MORE = Set.of("failed", "deleted");

  private final String runId;
  private final List<Applied> applied;
  private int partition = -1;
  private LogPosition position;
  private int weightsVersion;
  private String state = "not started";
  private String why = "";
  private @Nullable RunTimeline runTimeline;
  private long goesOnFrom = NOWHERE;
  private boolean doubted;
  private boolean lost;

  /** Takes those entries of the log that apply, in their order. */
  public interface Applied {
    /** Takes a snapshot of the log for all that is before it, whatever was taken so far. */
    void begin(ControlRecord snapshot);

    /** Takes the next entry; the first one of the run, once more, when the log is read again. */
    void apply(ControlRecord entry);
  }

  /** The fold of a run's records. */
  public RunLogFold(String runId) {
    this(runId, List.of());
  }

  /**
   * The fold of a run's records, with somebody who folds them to something else.
   *
   * @param applied is given each record that applies, before it counts here
   */
  public RunLogFold(String runId, Applied applied) {
    this(runId, List.of(applied));
  }

  private RunLogFold(String runId, List<Applied> applied) {
    this.runId = runId;
    this.applied = applied;
    this.position = LogPosition.start(runId);
  }

  /**
   * Takes a record of the control log; those of other runs, and those that lost, are ignored.
   *
   * @param digest what it is by content; means nothing in the log that runs share
   * @throws StreamCorruptException if the next record does not continue where the current one ends
   */
  public void apply(int fromPartition, long atOffset, ControlRecord message, long digest) {
    EntryStep step = ControlRecords.step(message, digest);
    doubted |=
        position.serial() == goesOnFrom && LogDoubts.isStrange(position, step.link(), atOffset);
    if (lost || doubted || (position.digest() != null && atOffset <= position.offset())) {
      return;
    }
    if (startsAgain(fromPartition, atOffset, step)) {
      position = LogPosition.start(runId);
    }
    if ((partition >= 0 && fromPartition != partition) || !accepts(step)) {
      return;
    }
    if (message.getBody() instanceof RunStarted started) {
      requireKnown(started.getPlanVersion());
      requireReadable(started.getSpec());
      partition = fromPartition;
      start(started);
    } else if (message.getBody() instanceof RunRevised revised) {
      requireReadable(revised.getSpec());
      runTimeline = Objects.requireNonNull(runTimeline).revised(step.timeline(), revised);
      weightsVersion = revised.getSnapshot().getWeightsVersion();
    } else if (message.getBody() instanceof MixtureGrant grant) {
      weightsVersion = grant.getWeightsVersion();
    } else if (message.getBody() instanceof RunStateChanged change && !change.getRefused()) {
      state = change.getState();
      why = message.getWhy();
    }
    applied.forEach(each -> each.apply(message));
    position = position.after(step, atOffset);
  }

  /**
   * Begins with a snapshot of the run's own log instead of its start.
   *
   * @param digest what the entry is by content
   * @param specs of the entries that it names as governing
   * @throws IllegalArgumentException if they are not of one run
   * @throws StreamCorruptException if its plan is not known
   */
  public void begin(
      long offset, ControlRecord entry, long digest, LogSnapshot snapshot, List<RunSpec> specs) {
    requireKnown(snapshot.getPlanVersion());
    if (snapshot.getOpenings().isEmpty() || specs.isEmpty()) {
      throw new IllegalArgumentException("a snapshot must name openings and what governs");
    }
    specs.forEach(this::requireReadable);
    applied.forEach(each -> each.begin(entry));
    runTimeline = RunTimeline.of(runId, snapshot, specs);
    partition = 0;
    state = snapshot.getState();
    why = snapshot.getWhy();
    weightsVersion = snapshot.getSnapshot().getWeightsVersion();
    position =
        new LogPosition(
            runId,
            entry.getTimeline(),
            entry.getSerial(),
            offset,
            snapshot.getSnapshot().getBatch(),
            entry.getBasedOnDigest() == null ? null : digest);
  }

  /** Whether the log has lost what was read of it, and is read from its start again. */
  private boolean startsAgain(int fromPartition, long atOffset, EntryStep step) {
    return fromPartition == partition
        && position.digest() == null
        && atOffset <= position.offset()
        && LogPosition.start(runId).isNext(step.link());
  }

  private boolean accepts(EntryStep step) {
    try {
      return position.accepts(step);
    } catch (BrokenLogException e) {
      throw new StreamCorruptException(String.valueOf(e.getMessage()));
    }
  }

  private void requireKnown(int planVersion) {
    try {
      PlanVersion.requireKnown(planVersion);
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptException("control log of run " + runId + ": " + e.getMessage());
    }
  }

  private void requireReadable(RunSpec spec) {
    try {
      RowLengths.require(spec);
      DocumentMasks.require(spec);
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptException("control log of run " + runId + ": " + e.getMessage());
    }
  }

  private void start(RunStarted started) {
    runTimeline = RunTimeline.of(runId, started);
    state = "running";
    why = "";
    RunOrigin origin = started.getOrigin();
    weightsVersion = origin == null ? 1 : origin.getSnapshot().getWeightsVersion();
  }

  /** Whether the current entry is to be looked at again before anything else is believed. */
  public boolean doubts() {
    return doubted;
  }

  /** Takes note that the log is read on, and may have become shorter and longer meanwhile. */
  public void goOn() {
    goesOnFrom = position.serial();
  }

  /** Where the current entry lies, if the log's entries name each other by content. */
  public OptionalLong currentOffset() {
    return position.digest() == null ? OptionalLong.empty() : OptionalLong.of(position.offset());
  }

  /** Offset in the log after the run's current entry; 0 before the first. */
  public long nextOffset() {
    return position.offset() + 1;
  }

  /**
   * Takes note of what is now where the current entry was read: if it is another, nobody can say
   * what was trained on beyond what is left, and the run is at its end for this reader.
   *
   * @param digest of the record there; empty if there is none
   */
  public void confirm(Optional<Long> digest) {
    doubted = false;
    goesOnFrom = NOWHERE;
    if (digest.equals(Optional.ofNullable(position.digest())) || lost) {
      return;
    }
    lost = true;
    state = "failed";
    why = position.lost(digest.isEmpty() ? "where no entry is now" : "where another entry is now");
  }

  /** Takes note that the log was deleted, and with it the run. */
  void logIsGone() {
    if (!emitsNoMore()) {
      state = "deleted";
      why = "its control log is gone";
    }
  }

  /** Where the run's batches lie; empty before its start was read. */
  public Optional<RunTimeline> runTimeline() {
    return Optional.ofNullable(runTimeline);
  }

  /** Version of the last granted mixture. */
  public int weightsVersion() {
    return weightsVersion;
  }

  /** Last batch that was granted. */
  public long granted() {
    return position.granted();
  }

  /**
   * Whether this batch will never come. A run that was completed or stopped still emits what is
   * granted, however long that takes.
   */
  public boolean hasEndedBefore(long batch) {
    return emitsNoMore() || (GRANTS_NO_MORE.contains(state) && batch > position.granted());
  }

  /** Whether not even what is granted can be relied upon to come. */
  public boolean emitsNoMore() {
    return EMITS_NO_MORE.contains(state);
  }

  /** 'running', 'paused', 'completed', 'stopped', 'failed' or 'deleted'. */
  public String state() {
    return state;
  }

  /** Reason of the state; may be empty. */
  public String why() {
    return why;
  }

  /** What an awaited batch of the run's stream waits for. */
  public String describe(long batch) {
    return describe(batch, "but not all of it was emitted");
  }

  /**
   * What an awaited batch waits for.
   *
   * @param granted what is said of it if it is granted
   */
  public String describe(long batch, String granted) {
    String reason = why.isEmpty() ? "" : " (" + why + ")";
    String run = state.equals("running") ? "" : "run " + runId + " is " + state + reason + "; ";
    return run
        + (batch > position.granted()
            ? "batch "
                + batch
                + " is not granted yet: the last grant ends at batch "
                + position.granted()
            : "batch " + batch + " is granted (to " + position.granted() + ") " + granted);
  }
}
