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
  public boolean accepts(EntryStep entry) {
    if (!isNext(entry.runId(), entry.serial(), entry.basedOn())) {
      return false;
    }
    boolean opens = entry.opensAfter(timeline);
    if ((entry.timeline() != timeline && !opens)
        || (entry.kind() == EntryStep.Kind.STARTED) != (serial == -1)) {
      throw new BrokenLogException(this, entry, "timeline or kind");
    }
    boolean continues =
        switch (entry.kind()) {
          case GRANTED -> entry.after() == granted && entry.to() > granted;
          case REVISED -> opens ? entry.after() <= granted : entry.to() == granted;
          case STARTED, CHANGED -> true;
        };
    if (!continues) {
      throw new BrokenLogException(
          this, entry, entry.kind() + " from " + entry.after() + " to " + entry.to());
    }
    return true;
  }

  /** {@link #accepts(EntryStep)} of an entry that is understood. */
  public boolean accepts(ControlEntry entry) {
    return accepts(entry.step());
  }

  /** The position once an accepted entry, read at {@code offset}, is the current one. */
  public LogPosition after(EntryStep entry, long offset) {
    long reached = entry.kind() == EntryStep.Kind.CHANGED ? granted : entry.to();
    return new LogPosition(runId, entry.timeline(), entry.serial(), offset, reached);
  }

  /** {@link #after(EntryStep, long)} of an entry that is understood. */
  public LogPosition after(ControlEntry entry, long offset) {
    return after(entry.step(), offset);
  }
}
