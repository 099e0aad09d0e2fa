package io.sluice.refine.synthesis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * How many requests are asked at the same time, and how many in a minute. When an endpoint wants to
 * be left alone, all wait. Thread-safe.
 */
public final class Pace {
  /** The rate of who has none. */
  public static final int UNLIMITED = 0;

  private static final int MOST_AT_ONCE = 1024;
  private static final int MOST_A_MINUTE = 1_000_000;

  private final int concurrency;
  private final Duration interval;
  private final Semaphore turns;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private Instant next = Instant.MIN;

  /**
   * A pace.
   *
   * @param concurrency requests at the same time, from 1 to 1,024
   * @param perMinute requests that begin in a minute, at most 1,000,000, or {@link #UNLIMITED}
   */
  public Pace(int concurrency, int perMinute, InstantSource clock, Sleeper sleeper) {
    if (concurrency < 1 || concurrency > MOST_AT_ONCE) {
      throw new IllegalArgumentException(
          "--concurrency must be from 1 to " + MOST_AT_ONCE + ": " + concurrency);
    }
    if (perMinute < 0 || perMinute > MOST_A_MINUTE) {
      throw new IllegalArgumentException(
          "--rate must be from 1 to " + MOST_A_MINUTE + " a minute: " + perMinute);
    }
    this.concurrency = concurrency;
    this.interval =
        perMinute == UNLIMITED ? Duration.ZERO : Duration.ofMinutes(1).dividedBy(perMinute);
    this.turns = new Semaphore(concurrency, true);
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** Requests at the same time. */
  int concurrency() {
    return concurrency;
  }

  /** Asks when it is the request's turn. */
  Reply ask(Endpoint endpoint, Request request) throws InterruptedException {
    turns.acquire();
    try {
      sleep(untilTurn());
      Reply reply = endpoint.ask(request);
      if (reply instanceof Reply.Failed failed && !failed.wantsLong()) {
        failed.after().ifPresent(this::hold);
      }
      return reply;
    } finally {
      turns.release();
    }
  }

  /** Waits, which holds up nobody else. */
  void sleep(Duration pause) throws InterruptedException {
    if (pause.compareTo(Duration.ZERO) > 0) {
      sleeper.sleep(pause);
    }
  }

  private synchronized Duration untilTurn() {
    Instant now = clock.instant();
    Instant turn = next.isAfter(now) ? next : now;
    next = turn.plus(interval);
    return Duration.between(now, turn);
  }

  private synchronized void hold(Duration pause) {
    Instant until = clock.instant().plus(pause);
    next = next.isAfter(until) ? next : until;
  }
}
