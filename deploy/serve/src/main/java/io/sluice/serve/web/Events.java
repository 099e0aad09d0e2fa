package io.sluice.serve.web;

import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.http.sse.SseClient;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Server-sent events. Who reads slowly is sent the newest alone, by a thread of its own, so that
 * nobody else waits for it.
 */
final class Events implements AutoCloseable {
  /** Most pages that are open at once. */
  static final int MOST = 256;

  private static final long EVERY_MILLIS = 250;

  private final Supplier<String> runs;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean changed = new AtomicBoolean(true);
  private final Map<String, Boolean> changedRuns = new ConcurrentHashMap<>();
  private final ScheduledExecutorService clock;
  private final ScheduledFuture<?> ticking;

  /**
   * Events that nobody listens to yet.
   *
   * @param runs where all runs stand, as JSON
   */
  Events(Supplier<String> runs) {
    this.runs = runs;
    clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "sluice-events");
              thread.setDaemon(true);
              return thread;
            });
    ticking = clock.scheduleWithFixedDelay(this::tick, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Where runs stand has changed. */
  void changed() {
    changed.set(true);
  }

  /** A run has come further. */
  void changed(String runId) {
    changedRuns.put(runId, true);
  }

  /** How many pages are open. */
  int open() {
    return listeners.size();
  }

  /**
   * Refuses one page more than can be open.
   *
   * @throws ServiceUnavailableResponse if so many are
   */
  void requireRoom() {
    if (listeners.size() >= MOST) {
      throw new ServiceUnavailableResponse(MOST + " pages are open at once, which is the most");
    }
  }

  /**
   * Sends events to a page until it is closed.
   *
   * @param run whose course the page shows; '' for none
   */
  void add(SseClient client, String run) {
    client.keepAlive();
    Listener listener = new Listener(client, run);
    listeners.add(listener);
    client.onClose(() -> remove(listener));
    listener.offerRuns(runs.get());
    listener.start();
  }

  private void remove(Listener listener) {
    listeners.remove(listener);
    listener.stop();
  }

  private void tick() {
    boolean standing = changed.getAndSet(false);
    Set<String> moved = Set.copyOf(changedRuns.keySet());
    moved.forEach(changedRuns::remove);
    if (listeners.isEmpty()) {
      return;
    }
    if (standing) {
      String now = runs.get();
      listeners.forEach(listener -> listener.offerRuns(now));
    }
    listeners.forEach(listener -> listener.offerMoves(moved));
  }

  @Override
  public void close() {
    ticking.cancel(false);
    clock.shutdownNow();
    listeners.forEach(
        listener -> {
          remove(listener);
          listener.close();
        });
  }
}
