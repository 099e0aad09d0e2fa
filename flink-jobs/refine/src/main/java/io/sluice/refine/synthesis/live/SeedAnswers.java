package io.sluice.refine.synthesis.live;

import io.sluice.control.error.UnreachableException;
import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Asking;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.refine.synthesis.Request;
import io.sluice.refine.synthesis.RequestKey;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.Task;
import io.sluice.refine.synthesis.TokenBudget;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/**
 * What becomes of seeds, for whoever keeps their order. A seed's outcome comes from its reply in
 * the store alone, and a request is asked once, whoever asks for it at the same time. Thread-safe.
 */
public final class SeedAnswers {
  private final Task task;
  private final AnswerStore store;
  private final TokenBudget budget;
  private final Asking asking;
  private final ConcurrentMap<RequestKey, CompletableFuture<Boolean>> asked =
      new ConcurrentHashMap<>();

  /** Answers out of a store, and by asking. */
  public SeedAnswers(Task task, AnswerStore store, TokenBudget budget, Asking asking) {
    this.task = task;
    this.store = store;
    this.budget = budget;
    this.asking = asking;
  }

  /**
   * What becomes of a seed. Waits for the endpoint; and without end where the budget is spent, as a
   * larger one is another job.
   *
   * @throws UnreachableException if the endpoint does not answer
   */
  public Outcome of(Seed seed) throws InterruptedException {
    Request request = task.request(seed);
    RequestKey key = request.key();
    while (!store.has(key)) {
      if (!askOnce(request, key)) {
        new CountDownLatch(1).await();
      }
    }
    return task.outcome(seed.id(), key, store.get(key).orElseThrow());
  }

  /** Whether the budget had enough tokens. */
  private boolean askOnce(Request request, RequestKey key) throws InterruptedException {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> others = asked.putIfAbsent(key, mine);
    if (others != null) {
      return await(others);
    }
    try {
      boolean kept =
          store.has(key)
              || (budget.reserve(request.mostTokens()) && asking.ask(request) == Asking.End.KEPT);
      mine.complete(kept);
      return kept;
    } finally {
      // Who waits tries itself where this has failed.
      asked.remove(key);
      mine.complete(true);
    }
  }

  private static boolean await(CompletableFuture<Boolean> asked) throws InterruptedException {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody ends it so", e);
    }
  }
}
