package io.sluice.mixture.log;

/** A control log with an accepted entry that does not continue where the one before it ended. */
public final class BrokenLogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenLogException(LogPosition position, EntryStep entry, String what) {
    super(
        "control log of run "
            + position.runId()
            + ": entry "
            + entry.serial()
            + " does not continue after serial "
            + position.serial()
            + " (timeline "
            + position.timeline()
            + ", granted "
            + position.granted()
            + "): "
            + what);
  }
}
