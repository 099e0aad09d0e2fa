package io.sluice.schema.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Which blocks of a lane are sealed: all below a bound, and those that came before what is between.
 * Takes as much memory as there are gaps, whatever the number of segments. Not thread-safe.
 */
public final class SealedLane {
  /** Most gaps: of what comes beyond, the last is forgotten. */
  static final int MOST_GAPS = 1_024;

  private final NavigableMap<Long, Long> early = new TreeMap<>();
  private long rows;
  private long end = -1;

  /** Nothing of a lane. */
  public SealedLane() {}

  /**
   * Takes a segment.
   *
   * @param first ordinal of its first block; at least 0
   * @param count of its blocks; at least 1
   * @param ended whether the lane ends with the last
   * @return whether that says anything new
   */
  public boolean take(long first, long count, boolean ended) {
    long after = Math.addExact(first, count);
    boolean isNew = after > rows || (ended && end != after);
    end = ended ? after : end;
    if (first <= rows) {
      rows = Math.max(rows, joined(rows, after));
    } else {
      Map.Entry<Long, Long> before = early.floorEntry(first);
      long begin = before != null && before.getValue() >= first ? before.getKey() : first;
      early.put(begin, joined(begin, after));
      if (early.size() > MOST_GAPS) {
        early.pollLastEntry();
      }
    }
    return isNew;
  }

  /** Where a part ends with all that it joins, which are no parts of their own any more. */
  private long joined(long from, long to) {
    long end = to;
    NavigableMap<Long, Long> later = early.tailMap(from, true);
    for (Map.Entry<Long, Long> next = later.firstEntry();
        next != null && next.getKey() <= end;
        next = later.firstEntry()) {
      end = Math.max(end, next.getValue());
      early.remove(next.getKey());
    }
    return end;
  }

  /** All blocks with ordinals below this are sealed. */
  public long rows() {
    return rows;
  }

  /** Whether there will be no more, and it is sealed that there are not. */
  public boolean ended() {
    return end == rows;
  }

  /** What is sealed: what is whole, and a span behind each gap. */
  public List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    if (rows > 0) {
      spans.add(new Span(0, rows, end == rows));
    }
    early.forEach((first, after) -> spans.add(new Span(first, after - first, end == after)));
    return spans;
  }

  /**
   * Blocks that follow each other, as {@link #take} takes them.
   *
   * @param first ordinal of the first
   * @param count how many they are
   * @param ended whether the lane ends with the last
   */
  public record Span(long first, long count, boolean ended) {}
}
