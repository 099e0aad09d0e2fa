package io.sluice.jobs.mix.stream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * How many records each run has handed to the producer that are neither delivered nor failed. One
 * thread sends and waits; any thread says what is done, without a lock unless the other waits.
 */
final class UnsentBytes {
  private final Map<String, AtomicInteger> records = new ConcurrentHashMap<>();
  private volatile boolean awaited;

  void sent(String runId) {
    AtomicInteger left = records.get(runId);
    if (left == null) {
      left = new AtomicInteger();
      records.put(runId, left);
    }
    left.incrementAndGet();
  }

  void done(String runId) {
    AtomicInteger left = records.get(runId);
    if (left != null && left.decrementAndGet() == 0 && awaited) {
      wake();
    }
  }

  private synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits until nothing is left, but no longer than given. Forgets the runs of which nothing is.
   *
   * @param ignored runs that are not waited for
   * @return whether nothing is left
   */
  // Who waits looks at more than this and asks again.
  @SuppressWarnings("WaitNotInLoop")
  synchronized boolean awaitNone(Predicate<String> ignored, long millis)
      throws InterruptedException {
    awaited = true;
    try {
      if (!isNone(ignored)) {
        wait(millis);
      }
      records.values().removeIf(left -> left.get() == 0);
      return isNone(ignored);
    } finally {
      awaited = false;
    }
  }

  private boolean isNone(Predicate<String> ignored) {
    return records.entrySet().stream()
        .allMatch(run -> run.getValue().get() == 0 || ignored.test(run.getKey()));
  }
}
