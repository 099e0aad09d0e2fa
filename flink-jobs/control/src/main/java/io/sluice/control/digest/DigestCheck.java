package io.sluice.control.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Holds what ranks said of batches against the rows that these have, timeline by timeline and batch
 * by batch: only what is said of the next batch is looked for.
 */
public final class DigestCheck {
  private final Consumer<SaidDigests> feedback;
  private final Consumer<String> differences;
  private final long reached;
  private final long refused;
  private SaidDigests said;
  private List<Stretch> stretches = List.of();
  private final List<Stretch> open = new ArrayList<>();
  private int timeline = -1;
  private int next;
  private long begin;
  private long end;
  private long digests;
  private long checked;
  private long partly;
  private long changed;
  private long silent;

  /**
   * Holds nothing yet.
   *
   * @param first takes what is said of the first batches
   * @param feedback gives it all records, each time that it is asked
   * @param differences takes a sentence for each digest that is not that of its rows
   */
  public DigestCheck(
      SaidDigests first, Consumer<SaidDigests> feedback, Consumer<String> differences) {
    feedback.accept(first);
    this.said = first;
    this.feedback = feedback;
    this.reached = first.reached();
    this.refused = first.refused();
    this.differences = differences;
  }

  /**
   * Goes to a later timeline.
   *
   * @param after the batch that it was opened behind
   */
  public void begin(int opened, long after) {
    finish();
    timeline = opened;
    begin = after;
    end = after;
    open();
  }

  private void open() {
    stretches = said.of(timeline);
    next = 0;
    open.clear();
  }

  private void readOn() {
    requireGranted();
    said = said.next();
    feedback.accept(said);
    open();
  }

  /**
   * Takes the next batch of the timeline.
   *
   * @param own whether the timeline owns it still
   */
  public void batch(BatchRows rows, boolean own) {
    while (!said.has(timeline, rows.batch())) {
      readOn();
    }
    end = rows.batch();
    while (next < stretches.size() && stretches.get(next).first() <= end) {
      open.add(stretches.get(next++));
    }
    open.removeIf(stretch -> stretch.end() <= rows.batch());
    Map<Integer, Integer> right = new HashMap<>();
    boolean unlike = false;
    for (Stretch stretch : open) {
      switch (hold(stretch, rows)) {
        case RIGHT -> right.merge(stretch.teller().worldSize(), 1, Integer::sum);
        case CHANGED -> unlike = true;
        case WRONG -> {}
      }
    }
    if (own) {
      count(rows, right, unlike);
    }
  }

  private enum Outcome {
    RIGHT,
    WRONG,
    CHANGED
  }

  private Outcome hold(Stretch stretch, BatchRows rows) {
    int worldSize = stretch.teller().worldSize();
    if (rows.size() % worldSize != 0) {
      tell(
          "batch %d of timeline %d: %s said what it read, but so many ranks cannot share %d"
              + " sequences",
          rows.batch(), timeline, stretch, rows.size());
      return Outcome.WRONG;
    }
    int own = rows.size() / worldSize;
    int from = stretch.teller().rank() * own;
    int to = from + own;
    if (!rows.has(from, to)) {
      return Outcome.CHANGED;
    }
    long found = stretch.digest(rows.batch());
    if (found != rows.digest(from, to) && rows.isPurged(from, to)) {
      return Outcome.CHANGED;
    }
    digests++;
    if (found == rows.digest(from, to)) {
      return Outcome.RIGHT;
    }
    tell(
        "batch %d of timeline %d: %s said that its rows have the digest %016x, the log and the"
            + " blocks give %016x",
        rows.batch(), timeline, stretch, found, rows.digest(from, to));
    return Outcome.WRONG;
  }

  private void tell(String format, Object... values) {
    differences.accept(String.format(Locale.ROOT, format, values));
  }

  private void count(BatchRows rows, Map<Integer, Integer> right, boolean unlike) {
    if (right.entrySet().stream().anyMatch(each -> each.getValue().equals(each.getKey()))) {
      checked++;
    } else if (unlike) {
      changed++;
    } else if (!right.isEmpty()) {
      partly++;
    } else if (open.isEmpty() && rows.batch() <= reached) {
      silent++;
    }
  }

  private void finish() {
    while (!said.hasAllOf(timeline)) {
      readOn();
    }
    requireGranted();
  }

  /** Whatever is said of batches that the timeline was not granted is not so. */
  private void requireGranted() {
    for (Stretch stretch : stretches) {
      if (stretch.first() <= begin || stretch.end() > end + 1) {
        long first = stretch.first();
        long beyond = first <= begin ? first : Math.max(first, end + 1);
        tell(
            "%s said what it read of batch %d: timeline %d has granted %d to %d",
            stretch, beyond, timeline, begin + 1, end);
      }
    }
  }

  /** What was found, once every timeline was held. */
  public DigestReport end() {
    finish();
    return new DigestReport(digests, checked, partly, changed, silent, refused);
  }
}
