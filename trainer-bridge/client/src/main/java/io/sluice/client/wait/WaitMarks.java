package io.sluice.client.wait;

import io.sluice.client.run.WaitCause;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * What the time was spent with in which a batch was read: stretches that follow one another, each
 * up to a time of {@link System#nanoTime}.
 */
public final class WaitMarks {
  private final Deque<Mark> marks = new ArrayDeque<>();

  private record Mark(long until, WaitCause cause) {}

  /** From the last mark to this time it was this. */
  public void add(long until, WaitCause cause) {
    Mark last = marks.peekLast();
    if (last != null && last.cause() == cause) {
      marks.removeLast();
    }
    marks.add(new Mark(until, cause));
  }

  /** The same, where it is known that it was not granted for want of documents. */
  public WaitMarks forSupply() {
    WaitMarks known = new WaitMarks();
    for (Mark mark : marks) {
      WaitCause cause = mark.cause() == WaitCause.GRANT ? WaitCause.SUPPLY : mark.cause();
      known.add(mark.until(), cause);
    }
    return known;
  }

  /** The causes of a stretch of time; after the last mark the batch was handed over. */
  public Map<WaitCause, Long> between(long from, long to) {
    Map<WaitCause, Long> nanos = new EnumMap<>(WaitCause.class);
    long at = from;
    for (Mark mark : marks) {
      long until = to - mark.until() < 0 ? to : mark.until();
      if (until - at > 0) {
        nanos.merge(mark.cause(), until - at, Long::sum);
        at = until;
      }
    }
    if (to - at > 0) {
      nanos.merge(WaitCause.DECODE, to - at, Long::sum);
    }
    return nanos;
  }
}
