package io.sluice.jobs.simulation;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Counts what has come about, so that a simulation in which nothing happens is noticed; from any
 * thread.
 */
final class Witness {
  private final Map<String, Long> counts = new ConcurrentSkipListMap<>();

  void saw(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  Map<String, Long> counts() {
    return counts;
  }
}
