package io.sluice.jobs.mix.rest;

import io.sluice.schema.ApplyRun;
import io.sluice.schema.RunCommand;
import java.io.Serializable;
import java.util.Set;

/**
 * A run that has ended, and of which all was read that is there.
 *
 * @param run its name
 * @param logEnd where its log ends
 * @param feedbackEnd where what trainers say of it ends
 * @param settled ids of the commands of which nothing more comes
 */
public record RestingRun(
    String runId, String run, long logEnd, long feedbackEnd, Set<String> settled)
    implements Serializable {
  /** A run that was changed so often is read: what is kept of one that rests is little. */
  static final int MOST_SETTLED = 64;

  /** Copies the ids. */
  public RestingRun {
    settled = Set.copyOf(settled);
  }

  /**
   * Whether nothing more comes of a command. What starts a run is answered by the log being there.
   */
  boolean hasSettled(RunCommand command) {
    return command.getBody() instanceof ApplyRun || settled.contains(command.getCommandId());
  }
}
