package io.sluice.lab.chaos.fault;

import java.util.Locale;

/** What can go wrong. */
public enum FaultKind {
  KILL_TASK_MANAGER("a task manager is killed"),
  FREEZE_TASK_MANAGER("a task manager is stopped for a while and goes on"),
  KILL_JOB_MANAGER("the job manager is killed"),
  FREEZE_JOB_MANAGER("the job manager is stopped for a while and goes on"),
  KILL_BROKER("the broker is killed"),
  FREEZE_BROKER("the broker stalls for longer than the stream's delivery timeout"),
  KILL_TRAINER("a trainer is killed"),
  FREEZE_TRAINER("a trainer is stopped for a while and goes on"),
  KILL_ALL("every process is killed at once"),
  DELETE_STREAM("the topic of a run's stream is deleted"),
  RECREATE_RUN("a run is deleted and created again under its name"),
  RESCALE("the mixing restarts from its checkpoint with another parallelism"),
  RESTORE_SAVEPOINT("the mixing stops with a savepoint and restarts from it"),
  SECOND_MIXER("an old deployment mixes the same runs, from no state"),
  OLD_PROPOSALS("proposals of the past are written to the control log again"),
  RIVAL_PROPOSALS("proposals that lead a losing lineage on are written to the control log"),
  CORRUPT_RECORDS("undecodable records are written to the control and feedback topics"),
  REPEATED_FEEDBACK("feedback of the past is sent again, in another order and with other values");

  private final String description;

  FaultKind(String description) {
    this.description = description;
  }

  /** What happens, as a sentence. */
  public String description() {
    return description;
  }

  /** Name on the command line: lower case, with hyphens. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
