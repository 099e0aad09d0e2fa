package io.sluice.mixture.log;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a reader stands in a run's control log; decides which entries apply.
 *
 * <p>An entry applies iff its run is this one, its serial is the current one + 1, and it is based
 * on the log offset of the current entry, and on its content where entries name that. Everything
 * else was proposed on a lineage that lost, and is ignored by every reader alike.
 *
 * @param serial of the current entry; −1 before the first
 * @param offset of the current entry in the log; −1 before the first
 * @param granted last granted batch
 * @param digest of the current entry; null before the first, and in a log whose entries name none
 */
public record LogPosition(
    String runId, int timeline, long serial, long offset, long granted, @Nullable Long digest) {
  /** In a log whose entries name no digests. */
  public LogPosition(String runId, int timeline, long serial, long offset, long granted) {
    this(runId, timeline, serial, offset, granted, null);
  }

  /** Before the first entry of a run. */
  public static LogPosition start(String runId) {
    return new LogPosition(runId, 0, -1, -1, 0);
  }

  /**
   * Whether an entry that names itself so is the next one; what it says is not looked at, so that a
   * reader need not understand entries that lost.
   */
  public boolean isNext(EntryLink entry) {
    Long base = entry.digests().base();
    boolean same =
        serial == -1 ? base == null || base == EntryDigests.NOTHING : Objects.equals(base, digest);
    return same
        && entry.runId().equals(runId)
        && entry.serial() == serial + 1
        && entry.basedOn() == offset;
  }

  /**
   * Why an entry shows that the log is not the one that was followed, or that whoever wrote the
   * entry had followed another. While nothing of a log is lost, one offset has one content.
   *
   * @param at where the entry lies
   * @return empty if it does not, as in a log without digests
   */
  public Optional<String> loss(EntryLink entry, long at) {
    if (digest == null || !entry.runId().equals(runId)) {
      return Optional.empty();
    }
    if (at == offset && entry.digests().own() != digest) {
      return Optional.of(lost("where another entry is now"));
    }
    boolean based = at > offset && entry.basedOn() == offset && entry.digests().base() != null;
    return based && !isNext(entry)
        ? Optional.of(
            lost("and entry " + entry.serial() + " is based on another one there, or forged"))
        : Optional.empty();
  }

  /** Says that the log has not the current entry any more, or has lost another in its place. */
  public String lost(String sign) {
    return "the control log has lost its tail: entry "
        + serial
        + ", which grants to batch "
        + granted
        + ", was read at offset "
        + offset
        + ", "
        + sign;
  }

  /**
   * Whether the entry is the next one.
   *
   * @throws BrokenLogException if it is, but does not continue where the current one ended: then
   *     somebody wrote past the rules, and going on would mix wrong data
   */
  public boolean accepts(EntryStep entry) {
    if (!isNext(entry.link())) {
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
    return new LogPosition(
        runId, entry.timeline(), entry.serial(), offset, reached, entry.digests().next());
  }

  /** {@link #after(EntryStep, long)} of an entry that is understood. */
  public LogPosition after(ControlEntry entry, long offset) {
    return after(entry.step(), offset);
  }
}
