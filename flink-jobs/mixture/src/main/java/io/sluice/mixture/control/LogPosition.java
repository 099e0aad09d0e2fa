package io.sluice.mixture.control;

/**
 * Where a reader stands in a run's control log; decides which entries apply.
 *
 * <p>An entry applies iff its run is this one, its serial is the current one + 1, and it is based
 * on the log offset of the current entry. Everything else was proposed on a lineage that lost, and
 * is ignored by every reader alike.
 *
 * @param serial of the current entry; −1 before the first
 * @param offset of the current entry in the log; −1 before the first
 * @param granted last granted batch
 */
public record LogPosition(String runId, int timeline, long serial, long offset, long granted) {
  /** Before the first entry of a run. */
  public static LogPosition start(String runId) {
    return new LogPosition(runId, 0, -1, -1, 0);
  }

  /**
   * Whether an entry that names itself so is the next one; what it says is not looked at, so that a
   * reader need not understand entries that lost.
   */
  public boolean isNext(String entryRunId, long entrySerial, long entryBasedOn) {
    return entryRunId.equals(runId) && entrySerial == serial + 1 && entryBasedOn == offset;
  }

  /**
   * Whether the entry is the next one.
   *
   * @throws BrokenLogException if it is, but does not continue where the current one ended: then
   *     somebody wrote past the rules, and going on would mix wrong data
   */
  public boolean accepts(ControlEntry entry) {
    if (!isNext(entry.runId(), entry.serial(), entry.basedOn())) {
      return false;
    }
    boolean first = entry.body() instanceof ControlEntry.Started;
    if (entry.timeline() != timeline || first != (serial == -1)) {
      throw new BrokenLogException(this, entry, "timeline or kind");
    }
    if (entry.body() instanceof ControlEntry.Grant grant && grant.after() != granted) {
      throw new BrokenLogException(this, entry, "grant after batch " + grant.after());
    }
    return true;
  }

  /** The position once an accepted entry, read at {@code offset}, is the current one. */
  public LogPosition after(ControlEntry entry, long offset) {
    long to = entry.body() instanceof ControlEntry.Grant grant ? grant.to() : granted;
    return new LogPosition(runId, timeline, entry.serial(), offset, to);
  }
}
