package io.sluice.refine.synthesis;

/**
 * Tokens that may be spent. What a request may cost is reserved before it is asked and settled
 * after: spent and reserved tokens together never pass the limit unless an endpoint counts more
 * than was reserved, which then counts. Thread-safe.
 */
public final class TokenBudget {
  /** The limit of who has none. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private final long limit;
  private long spent;
  private long reserved;

  /**
   * A budget.
   *
   * @param limit at least 1
   * @param spent of it already, at least 0
   */
  public TokenBudget(long limit, long spent) {
    if (limit < 1 || spent < 0) {
      throw new IllegalArgumentException("--budget-tokens must be at least 1: " + limit);
    }
    this.limit = limit;
    this.spent = spent;
  }

  /**
   * Reserves tokens; waits while others hold some that may come back.
   *
   * @return whether there were enough; if not, nobody holds any
   */
  public synchronized boolean reserve(long tokens) throws InterruptedException {
    while (!fits(tokens)) {
      if (reserved == 0) {
        return false;
      }
      wait();
    }
    reserved += tokens;
    return true;
  }

  /**
   * Spends tokens beside a reservation, which stays for another attempt.
   *
   * @return whether there were enough; if not, nothing has changed
   */
  synchronized boolean spend(long cost) {
    boolean enough = fits(cost);
    spent += enough ? cost : 0;
    return enough;
  }

  /** Gives a reservation back for what it came to. */
  synchronized void settle(long tokens, long cost) {
    reserved -= tokens;
    spent += cost;
    notifyAll();
  }

  /** Tokens that are spent. */
  public synchronized long spent() {
    return spent;
  }

  /** The most that may be. */
  public long limit() {
    return limit;
  }

  private boolean fits(long tokens) {
    return limit == UNLIMITED || tokens <= limit - spent - reserved;
  }
}
