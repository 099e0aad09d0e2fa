package io.sluice.mixture.log;

/**
 * What decides whether an entry applies, and where the log then stands: all that a reader must
 * understand of it.
 *
 * @param timeline that it belongs to
 * @param serial 0 for the first
 * @param basedOn log offset of the entry with the serial before; −1 for the first
 * @param digests what that entry is by content, and this one
 * @param after last batch that must be granted already: before a grant, or skipped to by a revision
 * @param to last granted batch once it applies; unused for {@link Kind#CHANGED}
 */
public record EntryStep(
    String runId,
    int timeline,
    long serial,
    long basedOn,
    EntryDigests digests,
    Kind kind,
    long after,
    long to) {
  /** What the entry does to the position. */
  public enum Kind {
    /** The run begins, after batch {@code to}. */
    STARTED,
    /** Batches (after, to] are granted. */
    GRANTED,
    /** The run goes on after batch {@code to} under another specification. */
    REVISED,
    /** Nothing: phases change, commands are refused. */
    CHANGED
  }

  /** Which entry it claims to follow. */
  public EntryLink link() {
    return new EntryLink(runId, serial, basedOn, digests);
  }

  /** Whether it opens the timeline after this one. */
  boolean opensAfter(int current) {
    return kind == Kind.REVISED && timeline == current + 1;
  }
}
