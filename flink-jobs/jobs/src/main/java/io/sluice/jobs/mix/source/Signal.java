package io.sluice.jobs.mix.source;

import java.util.concurrent.CompletableFuture;

/**
 * Wakes the reader's task. The task arms it, looks once more for work, and only then waits; whoever
 * brings work raises it afterwards. So no work is overlooked.
 */
final class Signal {
  private final Object lock = new Object();
  private volatile boolean armed;
  private CompletableFuture<Void> future = CompletableFuture.completedFuture(null);

  /** Makes {@link #future()} wait for the next {@link #raise()}. */
  void arm() {
    synchronized (lock) {
      if (future.isDone()) {
        future = new CompletableFuture<>();
      }
      armed = true;
    }
  }

  /** Wakes the task if it waits. */
  void raise() {
    if (!armed) {
      return;
    }
    CompletableFuture<Void> waiting;
    synchronized (lock) {
      armed = false;
      waiting = future;
    }
    waiting.complete(null);
  }

  /** Completed unless armed since. */
  CompletableFuture<Void> future() {
    synchronized (lock) {
      return future;
    }
  }
}
