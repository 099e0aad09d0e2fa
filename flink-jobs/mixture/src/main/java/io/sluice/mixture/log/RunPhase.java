package io.sluice.mixture.log;

import java.util.Locale;

/** Whether a run grants batches. */
public enum RunPhase {
  RUNNING,
  PAUSED,
  STOPPED,
  COMPLETED,
  FAILED,
  DELETED;

  /** Whether nothing can follow but the run's deletion, or that its last batches cannot come. */
  public boolean ended() {
    return this != RUNNING && this != PAUSED;
  }

  /**
   * Whether a command can lead from this phase to {@code next}. What a run was granted may turn out
   * to be impossible to emit after it was completed or stopped.
   */
  public boolean canBecome(RunPhase next) {
    return switch (this) {
      case RUNNING, PAUSED -> true;
      case STOPPED, COMPLETED -> next == FAILED || next == DELETED;
      case FAILED -> next == DELETED;
      case DELETED -> false;
    };
  }

  /** Its name on the wire. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The phase of a wire name.
   *
   * @throws IllegalArgumentException listing the known ones
   */
  public static RunPhase ofWireName(String name) {
    for (RunPhase phase : values()) {
      if (phase.wireName().equals(name)) {
        return phase;
      }
    }
    throw new IllegalArgumentException(
        "phase must be one of running, paused, stopped, completed, failed, deleted: '"
            + name
            + "'");
  }
}
