package io.sluice.control.runs;

import io.sluice.control.history.RunFollower;
import io.sluice.control.history.StatusFollower;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.schema.KafkaAccess;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the phase that a command asks of a run, by its log and its status. A deletion is
 * awaited in the status: before MixJob has read of it in the log, nobody may delete that.
 */
final class PhaseWait implements AutoCloseable {
  private final String runId;
  private final String state;
  private final boolean reached;
  private final StatusFollower status;
  private final @Nullable RunFollower log;

  /**
   * A wait that begins before the command is given.
   *
   * @param run with its log folded, if it has one
   */
  PhaseWait(KafkaAccess access, RunCatalog.Entry run, String state) {
    this.runId = run.runId();
    this.state = state;
    this.reached = run.phase().equals(state);
    this.status = new StatusFollower(access);
    this.log = run.fold().map(fold -> new RunFollower(access, fold)).orElse(null);
  }

  /** Whether the run is in the phase, or its log has answered the command. */
  boolean isReached(String commandId) {
    return reached
        || status.newest(runId).filter(said -> said.getPhase().equals(state)).isPresent()
        || answer(commandId).filter(this::isFinal).isPresent();
  }

  private Optional<ControlEntry> answer(String commandId) {
    return log == null ? Optional.empty() : log.answer(commandId);
  }

  private boolean isFinal(ControlEntry answer) {
    return answer.body() instanceof Refused || !state.equals("deleted");
  }

  @Override
  public void close() {
    status.close();
    if (log != null) {
      log.close();
    }
  }
}
