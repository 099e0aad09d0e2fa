package io.sluice.control.digest;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The first words of all ranks on the batches from one place on, as many as fit: of places that are
 * {@link #limit} or later none is kept.
 */
final class Stretches {
  /** What a stretch takes beside its digests, in digests. */
  private static final int STRETCH = 32;

  private static final Place END = new Place(Integer.MAX_VALUE, Long.MAX_VALUE);

  private final Place from;
  private final long most;
  private final TreeMap<Teller, TreeMap<Long, Stretch>> said = new TreeMap<>();
  private Place limit = END;
  private long held;
  private boolean full;

  /**
   * Nobody said a word.
   *
   * @param from first place
   * @param most digests that it may hold, 8 bytes each
   */
  Stretches(Place from, long most) {
    this.from = from;
    this.most = most;
  }

  /** The place from which on nothing is kept. */
  Place limit() {
    return limit;
  }

  /** Whether a word on a batch is kept here. */
  boolean isFor(Place place) {
    return place.compareTo(from) >= 0 && place.compareTo(limit) < 0;
  }

  /** Whether even what is said of a single batch does not fit. */
  boolean isFull() {
    return full;
  }

  /**
   * Takes a word on a batch that {@link #isFor} this, while this {@link #isFull} not.
   *
   * @param process of the rank
   * @return the stretch that has the rank's first word on it, this or another
   */
  Stretch put(Teller teller, String process, long batch, long digest) {
    TreeMap<Long, Stretch> own = said.computeIfAbsent(teller, unknown -> new TreeMap<>());
    Map.Entry<Long, Stretch> before = own.floorEntry(batch);
    Stretch stretch = before == null ? null : before.getValue();
    if (stretch == null
        || batch > stretch.end()
        || (batch == stretch.end() && !stretch.isOf(process))) {
      stretch = new Stretch(teller, process, batch);
      own.put(batch, stretch);
      held += STRETCH;
    }
    if (batch == stretch.end()) {
      stretch.add(digest);
      held++;
    }
    return stretch;
  }

  /** Forgets the last places until the rest fits. */
  void fit() {
    while (held > most && !full) {
      forgetLast();
    }
  }

  /** Forgets the last timeline; of a single one its later batches. */
  private void forgetLast() {
    int last = said.lastKey().timeline();
    var tellers = said.tailMap(new Teller(last, 0, 0));
    long low = Long.MAX_VALUE;
    long high = 0;
    for (TreeMap<Long, Stretch> stretches : tellers.values()) {
      low = Math.min(low, stretches.firstKey());
      high = Math.max(high, stretches.lastEntry().getValue().end());
    }
    boolean only = said.firstKey().timeline() == last;
    if (only && high - low == 1) {
      full = true;
      return;
    }
    limit = new Place(last, only ? low + (high - low) / 2 : low);
    tellers.values().forEach(stretches -> forgetFrom(limit.batch(), stretches));
    tellers.values().removeIf(TreeMap::isEmpty);
  }

  private void forgetFrom(long batch, NavigableMap<Long, Stretch> stretches) {
    var later = stretches.tailMap(batch, true);
    for (Stretch stretch : later.values()) {
      held -= STRETCH + stretch.end() - stretch.first();
    }
    later.clear();
    Map.Entry<Long, Stretch> before = stretches.lastEntry();
    if (before != null && before.getValue().end() > batch) {
      held -= before.getValue().end() - batch;
      before.getValue().forgetFrom(batch);
    }
  }

  /** What is said of batches of a timeline, in the order of the first ones. */
  List<Stretch> of(int timeline) {
    return said.subMap(new Teller(timeline, 0, 0), new Teller(timeline + 1, 0, 0)).values().stream()
        .flatMap(each -> each.values().stream())
        .sorted((one, other) -> Long.compare(one.first(), other.first()))
        .toList();
  }
}
