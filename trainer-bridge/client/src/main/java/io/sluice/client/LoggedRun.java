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
final class LoggedRun {
  private static final Set<String> GRANTS_NO_MORE = Set.of("completed", "stopped");
  private static final Set<String> EMITS_NO_MORE = Set.of("failed", "deleted");

  private final String runId;
  private int partition = -1;
  private long serial = -1;
  private long offset = -1;
  private long granted;
  private String state = "not started";
  private String why = "";

  LoggedRun(String runId) {
    this.runId = runId;
  }

  /**
   * Takes a record of the control log; those of other runs, and those that lost, are ignored.
   *
   * @throws StreamCorruptException if the next record does not continue where the current one ends
   */
  void apply(int fromPartition, long atOffset, ControlRecord message) {
    if (!message.getRunId().equals(runId)
        || message.getSerial() != serial + 1
        || message.getBasedOn() != offset
        || (serial >= 0 && fromPartition != partition)) {
      return;
    }
    requireContinues(message, atOffset);
    if (message.getBody() instanceof RunStarted) {
      partition = fromPartition;
      state = "running";
    } else if (message.getBody() instanceof MixtureGrant grant) {
      granted = grant.getTo();
    } else if (message.getBody() instanceof RunStateChanged change) {
      state = change.getState();
      why = message.getWhy();
    }
    serial = message.getSerial();
    offset = atOffset;
  }

  private void requireContinues(ControlRecord message, long atOffset) {
    boolean starts = message.getBody() instanceof RunStarted;
    boolean leavesHole =
        message.getBody() instanceof MixtureGrant grant && grant.getAfter() != granted;
    if (message.getTimeline() != 0 || starts != (serial < 0) || leavesHole) {
      throw new StreamCorruptException(
          "control log of run "
              + runId
              + ": the record of serial "
              + message.getSerial()
              + " at offset "
              + atOffset
              + " does not continue after batch "
              + granted
              + " of timeline 0");
    }
  }

  /**
   * Whether this batch will never come. A run that was completed or stopped still emits what is
   * granted, however long that takes.
   */
  boolean hasEndedBefore(long batch) {
    return EMITS_NO_MORE.contains(state) || (GRANTS_NO_MORE.contains(state) && batch > granted);
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
    String reason = why.isEmpty() ? "" : " (" + why + ")";
    String run = state.equals("running") ? "" : "run " + runId + " is " + state + reason + "; ";
    return run
        + (batch > granted
            ? "batch " + batch + " is not granted yet: the last grant ends at batch " + granted
            : "batch " + batch + " is granted (to " + granted + ") but not all of it was emitted");
  }
}
