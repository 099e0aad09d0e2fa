package io.sluice.client.run;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far one run has come: the fold of its control records. A record applies iff its serial is the
 * current one + 1 and it is based on the current record's offset; all others lost.
 */
public final class RunLogFold {
  private static final Set<String> GRANTS_NO_MORE = Set.of("completed", "stopped");
  private static final Set<String> EMITS_NO_MORE = Set.of("failed", "deleted");

  private final String runId;
  private int partition = -1;
  private long serial = -1;
  private long offset = -1;
  private long granted;
  private int weightsVersion;
  private String state = "not started";
  private String why = "";
  private @Nullable RunTimeline runTimeline;

  public RunLogFold(String runId) {
    this.runId = runId;
  }

  /**
   * Takes a record of the control log; those of other runs, and those that lost, are ignored.
   *
   * @throws StreamCorruptException if the next record does not continue where the current one ends
   */
  public void apply(int fromPartition, long atOffset, ControlRecord message) {
    if (!message.getRunId().equals(runId)
        || message.getSerial() != serial + 1
        || message.getBasedOn() != offset
        || (serial >= 0 && fromPartition != partition)) {
      return;
    }
    Object body = message.getBody();
    RunTimeline known = runTimeline;
    if (body instanceof RunStarted started) {
      require(known == null && message.getTimeline() == 0, message, atOffset);
      start(started);
      partition = fromPartition;
    } else {
      require(known != null, message, atOffset);
      continueWith(Objects.requireNonNull(known), message, atOffset);
    }
    serial = message.getSerial();
    offset = atOffset;
  }

  private void start(RunStarted started) {
    runTimeline = RunTimeline.of(started);
    state = "running";
    weightsVersion = 1;
    RunOrigin origin = started.getOrigin();
    if (origin != null) {
      granted = origin.getSnapshot().getBatch();
      weightsVersion = origin.getSnapshot().getWeightsVersion();
    }
  }

  private void continueWith(RunTimeline known, ControlRecord message, long atOffset) {
    int newest = known.timelines().newest();
    boolean same = message.getTimeline() == newest;
    if (message.getBody() instanceof RunRevised revised) {
      long batch = revised.getSnapshot().getBatch();
      boolean opens = message.getTimeline() == newest + 1 && batch <= granted;
      require(opens || (same && batch == granted), message, atOffset);
      runTimeline = known.revised(message.getTimeline(), revised);
      granted = batch;
      weightsVersion = revised.getSnapshot().getWeightsVersion();
    } else if (message.getBody() instanceof MixtureGrant grant) {
      require(same && grant.getAfter() == granted, message, atOffset);
      granted = grant.getTo();
      weightsVersion = grant.getWeightsVersion();
    } else if (message.getBody() instanceof RunStateChanged change) {
      require(same, message, atOffset);
      if (!change.getRefused()) {
        state = change.getState();
        why = message.getWhy();
      }
    }
  }

  private void require(boolean continues, ControlRecord message, long atOffset) {
    if (!continues) {
      throw new StreamCorruptException(
          "control log of run "
              + runId
              + ": the record of serial "
              + message.getSerial()
              + " at offset "
              + atOffset
              + " does not continue after batch "
              + granted
              + " of timeline "
              + (runTimeline == null ? 0 : runTimeline.timelines().newest()));
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
    return granted;
  }

  /**
   * Whether this batch will never come. A run that was completed or stopped still emits what is
   * granted, however long that takes.
   */
  public boolean hasEndedBefore(long batch) {
    return EMITS_NO_MORE.contains(state) || (GRANTS_NO_MORE.contains(state) && batch > granted);
  }

  /** 'running', 'paused', 'completed', 'stopped', 'failed' or 'deleted'. */
  public String state() {
    return state;
  }

  /** Reason of the state; may be empty. */
  public String why() {
    return why;
  }

  /** What an awaited batch waits for. */
  public String describe(long batch) {
    String reason = why.isEmpty() ? "" : " (" + why + ")";
    String run = state.equals("running") ? "" : "run " + runId + " is " + state + reason + "; ";
    return run
        + (batch > granted
            ? "batch " + batch + " is not granted yet: the last grant ends at batch " + granted
            : "batch " + batch + " is granted (to " + granted + ") but not all of it was emitted");
  }
}
