package io.sluice.jobs.simulation;

import java.util.ArrayList;
import java.util.List;

/** Which timeline owns each batch of a run. */
final class Lineage {
  private final List<Long> openedAfter = new ArrayList<>();

  /**
   * @param after the run's first batch is the next one
   */
  Lineage(long after) {
    openedAfter.add(after);
  }

  /** Opens the next timeline after a batch. */
  void open(long batch) {
    openedAfter.add(batch);
  }

  /** The timeline that is written now. */
  int current() {
    return openedAfter.size() - 1;
  }

  /** Last batch before a timeline. */
  long openedAfter(int timeline) {
    return openedAfter.get(timeline);
  }

  /** The timeline that owns a batch now. */
  int owner(long batch) {
    return owner(current(), batch);
  }

  /** The timeline that owned a batch while {@code timeline} was written. */
  int owner(int timeline, long batch) {
    int last = timeline;
    while (last > 0 && openedAfter.get(last) >= batch) {
      last--;
    }
    return last;
  }
}
