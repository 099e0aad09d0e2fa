package io.sluice.mixture.log;

import java.util.HashSet;
import java.util.Set;

/**
 * When the current entry of a log with digests is to be read again: on each record that would not
 * be here if what was read were all of the log, but not again on one that was looked at, since
 * those that a late writer left stay where they are.
 */
public final class LogDoubts {
  private static final int MOST = 1024;

  private final Set<Long> known = new HashSet<>();
  private long serial = -1;

  /**
   * Whether an entry raises doubt that none before it has raised at this position.
   *
   * @param offset where the entry lies
   */
  public boolean raises(LogPosition at, EntryLink entry, long offset) {
    if (at.serial() != serial) {
      serial = at.serial();
      known.clear();
    }
    return isStrange(at, entry, offset) && known.size() < MOST && known.add(entry.digests().own());
  }

  /** Whether an entry would not be here if what was read were all of the log, up to here. */
  public static boolean isStrange(LogPosition at, EntryLink entry, long offset) {
    if (at.digest() == null || !entry.runId().equals(at.runId())) {
      return false;
    }
    return offset == at.offset() ? at.loss(entry, offset).isPresent() : !at.isNext(entry);
  }
}
