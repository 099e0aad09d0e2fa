package io.sluice.jobs.mix.rest;

import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunStateChanged;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A run that has ended, and of which all was read that is there.
 *
 * @param run its name
 * @param logEnd where its log ends
 * @param feedbackEnd where what trainers say of it ends
 * @param answered ids of the commands that its log has answered
 */
public record RestingRun(
    String runId, String run, long logEnd, long feedbackEnd, Set<String> answered)
    implements Serializable {
  /** A run that was changed so often is read: what is kept of one that rests is little. */
  private static final int MOST_ANSWERED = 64;

  /** Copies the ids. */
  public RestingRun {
    answered = Set.copyOf(answered);
  }

  /**
   * Whether the run's log shows what came of a command. What starts a run is answered by the log
   * being there.
   */
  boolean hasAnswered(RunCommand command) {
    return command.getBody() instanceof ApplyRun || answered.contains(command.getCommandId());
  }

  /**
   * Ids of commands that a log has answered, as its last entry says.
   *
   * @return empty if that does not say it, or not of a run that has ended
   */
  static Optional<Set<String>> answered(Object entry) {
    String state = "";
    Set<String> answered = new HashSet<>();
    if (entry instanceof LogSnapshot snapshot) {
      state = snapshot.getState();
      answered.addAll(snapshot.getAnswered());
    } else if (entry instanceof RunStateChanged change) {
      // A log of few entries ends without a snapshot.
      state = change.getState();
      answered.add(change.getCommandId());
    }
    return !state.isEmpty()
            && RunPhase.ofWireName(state).ended()
            && answered.size() <= MOST_ANSWERED
        ? Optional.of(answered)
        : Optional.empty();
  }
}
