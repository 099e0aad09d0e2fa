package io.sluice.refine.synthesis;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a request until there is a reply that stays, and keeps it. Whatever an attempt may cost is
 * reserved on disk before it is made; what it has cost is the endpoint's count, all of the
 * reservation where the endpoint may have worked and does not say, and nothing else.
 *
 * @param refuseFailed whether a request that fails at all attempts is refused for good
 */
public record Asking(
    Endpoint endpoint,
    AnswerStore store,
    TokenBudget budget,
    Pace pace,
    Tries tries,
    boolean refuseFailed) {

  /** How it ended. */
  public enum End {
    KEPT,
    OVER_BUDGET
  }

  /**
   * Asks.
   *
   * @param request for which the budget has a reservation
   * @throws UnreachableException if it failed at all attempts
   */
  public End ask(Request request) throws InterruptedException {
    RequestKey key = request.key();
    long reserved = request.mostTokens();
    long cost = reserved;
    try {
      for (int attempt = 1; ; attempt++) {
        Reply reply = attempt(key, request);
        cost = cost(reply, reserved);
        if (!(reply instanceof Reply.Failed failed)) {
          return End.KEPT;
        }
        Optional<Duration> pause = tries.pause(key, attempt, failed);
        if (pause.isEmpty()) {
          giveUp(key, attempt, failed);
          return End.KEPT;
        }
        pace.sleep(pause.get());
        if (!budget.spend(cost)) {
          return End.OVER_BUDGET;
        }
        cost = reserved;
      }
    } catch (BadInputException e) {
      cost = 0;
      throw e;
    } finally {
      // Whatever has happened: who waits for tokens must not wait for ever.
      budget.settle(reserved, cost);
    }
  }

  private Reply attempt(RequestKey key, Request request) throws InterruptedException {
    long reserved = request.mostTokens();
    store.reserve(key, reserved);
    Reply reply;
    try {
      reply = pace.ask(endpoint, request);
    } catch (BadInputException e) {
      // Nobody works for who has a wrong key.
      store.settle(key, 0);
      throw e;
    }
    long cost = cost(reply, reserved);
    if (reply instanceof Reply.Settled settled) {
      store.put(key, settled, cost);
    } else {
      store.settle(key, cost);
    }
    return reply;
  }

  private void giveUp(RequestKey key, int attempts, Reply.Failed failed) {
    if (!refuseFailed || failed.wantsLong()) {
      throw new UnreachableException(
          "the endpoint does not answer: " + failed.reason() + wish(failed));
    }
    store.put(key, new Reply.Refused("failed " + attempts + " times: " + failed.reason()), 0);
  }

  private static long cost(Reply reply, long reserved) {
    if (reply instanceof Reply.Answered answered) {
      return answered.tokens().orElse(reserved);
    }
    return reply instanceof Reply.Failed failed && !failed.free() ? reserved : 0;
  }

  private static String wish(Reply.Failed failed) {
    return failed
        .after()
        .filter(after -> failed.wantsLong())
        .map(after -> "; it wants to be left alone for " + after.toSeconds() + " s")
        .orElse("");
  }
}
