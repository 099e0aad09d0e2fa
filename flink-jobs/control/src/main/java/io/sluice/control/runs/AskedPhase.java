package io.sluice.control.runs;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.RunStatus;
import java.util.Optional;

/**
 * A phase that a command asks of a run. A deletion has come when the status says so: before MixJob
 * has read of it in the run's log, nobody may delete that.
 *
 * @param name on the wire
 */
record AskedPhase(String name) {
  private static final String DELETED = RunPhase.DELETED.wireName();

  /** Whether a run that has ended can take it. */
  boolean isForEnded() {
    return name.equals(DELETED);
  }

  /**
   * Whether the run is in the phase, or its log has answered.
   *
   * @param status newest one since the command was given
   * @param answer of the log
   */
  boolean hasCome(Optional<RunStatus> status, Optional<ControlEntry> answer) {
    return status.filter(said -> said.getPhase().equals(name)).isPresent()
        || answer.filter(this::isLast).isPresent();
  }

  private boolean isLast(ControlEntry answer) {
    return answer.body() instanceof Refused || !name.equals(DELETED);
  }
}
