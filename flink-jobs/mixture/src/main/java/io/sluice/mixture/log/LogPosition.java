package io.sluice.mixture.log;

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
    boolean opens =
        entry.body() instanceof ControlEntry.Revised && entry.timeline() == timeline + 1;
    if ((entry.timeline() != timeline && !opens) || first != (serial == -1)) {
      throw new BrokenLogException(this, entry, "timeline or kind");
    }
    if (entry.body() instanceof ControlEntry.Revised revised) {
      requireGranted(entry, revised, opens);
    }
    if (entry.body() instanceof ControlEntry.Grant grant && grant.after() != granted) {
      throw new BrokenLogException(this, entry, "grant after batch " + grant.after());
    }
    return true;
  }

  private void requireGranted(ControlEntry entry, ControlEntry.Revised revised, boolean opens) {
    long batch = revised.snapshot().batch();
    if (opens ? revised.skippedTo() > granted : batch != granted) {
      throw new BrokenLogException(
          this, entry, "revision after batch " + batch + ", data up to " + revised.skippedTo());
    }
  }

  /** The position once an accepted entry, read at {@code offset}, is the current one. */
  public LogPosition after(ControlEntry entry, long offset) {
    return new LogPosition(runId, entry.timeline(), entry.serial(), offset, grantedBy(entry));
  }

  private long grantedBy(ControlEntry entry) {
    if (entry.body() instanceof ControlEntry.Grant grant) {
      return grant.to();
    }
    if (entry.body() instanceof ControlEntry.Revised revised) {
      return revised.snapshot().batch();
    }
    return entry.body() instanceof ControlEntry.Started started
        ? started.snapshot().batch()
        : granted;
  }
}
