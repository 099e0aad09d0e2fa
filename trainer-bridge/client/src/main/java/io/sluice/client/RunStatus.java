package io.sluice.client;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import java.util.Set;

/**
 * How far one run has come: the fold of its control records. A record applies iff its serial is the
 * current one + 1 and it is based on the current record's offset; all others lost.
 */
final class RunStatus {
  private static final Set<String> ENDED = Set.of("completed", "stopped", "failed", "deleted");

  private final String runId;
  private int partition = -1;
  private long serial = -1;
  private long offset = -1;
  private int timeline;
  private long granted;
  private String state = "not started";
  private String why = "";

  RunStatus(String runId) {
    this.runId = runId;
  }

  /** Takes a record of the control log; those of other runs are ignored. */
  void apply(int fromPartition, long atOffset, ControlRecord message) {
    if (!message.getRunId().equals(runId)
        || message.getSerial() != serial + 1
        || message.getBasedOn() != offset
        || (serial >= 0 && fromPartition != partition)
        || (message.getBody() instanceof RunStarted) != (serial < 0)) {
      return;
    }
    if (message.getBody() instanceof RunStarted) {
      partition = fromPartition;
      state = "running";
    } else if (message.getBody() instanceof MixtureGrant grant) {
      requireContinues(message, grant, atOffset);
      granted = grant.getTo();
    } else if (message.getBody() instanceof RunStateChanged change) {
      state = change.getState();
      why = message.getWhy();
    }
    serial = message.getSerial();
    offset = atOffset;
    timeline = message.getTimeline();
  }

  private void requireContinues(ControlRecord message, MixtureGrant grant, long atOffset) {
    if (message.getTimeline() != timeline || grant.getAfter() != granted) {
      throw new StreamCorruptException(
          "control log of run "
              + runId
              + ": the grant at offset "
              + atOffset
              + " continues after batch "
              + grant.getAfter()
              + " of timeline "
              + message.getTimeline()
              + ", but timeline "
              + timeline
              + " is granted to batch "
              + granted);
    }
  }

  /** Whether no batch beyond the granted ones will ever come. */
  boolean hasEnded() {
    return ENDED.contains(state);
  }

  /** 'running', 'paused', 'completed', 'stopped', 'failed' or 'deleted'. */
  String state() {
    return state;
  }

  /** Reason of the state; may be empty. */
  String why() {
    return why;
  }

  /** What an awaited batch waits for. */
  String describe(long batch) {
    String run = state.equals("running") ? "" : "run " + runId + " is " + state + "; ";
    return run
        + (batch > granted
            ? "batch " + batch + " is not granted yet: the last grant ends at batch " + granted
            : "batch " + batch + " is granted (to " + granted + ") but not all of it was emitted");
  }
}
