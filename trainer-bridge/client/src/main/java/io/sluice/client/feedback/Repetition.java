package io.sluice.client.feedback;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * When a rank that waits says again what it said last: after half a minute to a whole one, and then
 * after twice as long each time, up to ten minutes to twenty. Each time is drawn, so that ranks
 * which wait together do not speak together. Not thread-safe.
 */
final class Repetition {
  static final Duration FIRST = Duration.ofSeconds(30);
  static final Duration LONGEST = Duration.ofMinutes(10);

  private final LongSupplier nanoClock;
  private final RandomGenerator random;
  private long since;
  private long base;
  private long wait;

  Repetition(LongSupplier nanoClock, RandomGenerator random) {
    this.nanoClock = nanoClock;
    this.random = random;
    beginAnew();
  }

  /** The rank has spoken by itself, or does not wait. */
  void beginAnew() {
    await(FIRST.toNanos());
  }

  private void await(long nanos) {
    since = nanoClock.getAsLong();
    base = nanos;
    wait = nanos + random.nextLong(nanos);
  }

  /** Whether it is time, which it is once. */
  boolean isDue() {
    if (nanoClock.getAsLong() - since < wait) {
      return false;
    }
    await(Math.min(2 * base, LONGEST.toNanos()));
    return true;
  }
}
