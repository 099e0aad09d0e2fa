package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import java.util.Optional;

/** A run that cannot go on: its logs contradict each other. Other runs are not concerned. */
public final class BrokenRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BrokenRunException(String message) {
    super(message);
  }

  /**
   * Checks that an entry does not show that the run's log has lost what was there.
   *
   * @throws BrokenRunException if it does
   */
  public static void requireKept(LogPosition at, ControlEntry entry, long offset) {
    Optional<String> lost = at.loss(entry.step().link(), offset);
    if (lost.isPresent()) {
      throw new BrokenRunException(lost.get());
    }
  }
}
