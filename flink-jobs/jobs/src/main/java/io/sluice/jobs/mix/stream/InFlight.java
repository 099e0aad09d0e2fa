package io.sluice.jobs.mix.stream;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** How many records each run has handed to the producer that are neither delivered nor failed. */
final class InFlight {
  private final Map<String, Integer> records = new HashMap<>();

  synchronized void sent(String runId) {
    records.merge(runId, 1, Integer::sum);
  }

  synchronized void done(String runId) {
    records.computeIfPresent(runId, (run, left) -> left == 1 ? null : left - 1);
    if (!records.containsKey(runId)) {
      notifyAll();
    }
  }

  /**
   * Waits until nothing is left, but no longer than given.
   *
   * @param ignored runs that are not waited for
   * @return whether nothing is left
   */
  synchronized boolean awaitNone(Predicate<String> ignored, long millis)
      throws InterruptedException {
    if (!isNone(ignored)) {
      wait(millis);
    }
    return isNone(ignored);
  }

  private boolean isNone(Predicate<String> ignored) {
    return records.keySet().stream().allMatch(ignored);
  }
}
