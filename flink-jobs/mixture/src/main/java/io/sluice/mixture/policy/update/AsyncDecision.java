package io.sluice.mixture.policy.update;

import io.sluice.mixture.policy.Policy;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A slow decision that is worked on in the background, so that the thread that decides for many
 * runs never computes it. The work depends on nothing but state and step, so what comes out does
 * not depend on when.
 */
public final class AsyncDecision {
  private static final Executor WORKER =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "slow-decisions");
            thread.setDaemon(true);
            return thread;
          });

  private record Key(ByteBuffer state, long step) {}

  private @Nullable Key key;
  private CompletableFuture<Policy.Decision> result = new CompletableFuture<>();

  /** Whether the decision is there; otherwise it is being worked on from now on. */
  public synchronized boolean isDone(byte[] state, long step, Supplier<Policy.Decision> work) {
    Key asked = new Key(ByteBuffer.wrap(state.clone()), step);
    if (!asked.equals(key)) {
      key = asked;
      result = CompletableFuture.supplyAsync(work, WORKER);
    }
    return result.isDone();
  }

  /** The decision, worked on at once unless it is there or on its way. */
  public Policy.Decision get(byte[] state, long step, Supplier<Policy.Decision> work) {
    CompletableFuture<Policy.Decision> known;
    synchronized (this) {
      boolean same = new Key(ByteBuffer.wrap(state), step).equals(key);
      known = same ? result : CompletableFuture.completedFuture(null);
    }
    try {
      Policy.@Nullable Decision decision = known.join();
      return decision == null ? work.get() : decision;
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
