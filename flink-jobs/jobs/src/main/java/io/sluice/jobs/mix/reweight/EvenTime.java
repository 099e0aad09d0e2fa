package io.sluice.jobs.mix.reweight;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;

/**
 * The time of a wall clock without its jumps. A wall clock may be set an hour ahead and back again;
 * whoever waits by it would give up at once, or wait for an hour. This time goes on as long as time
 * passes, and is brought to the wall clock by a tenth of what passes.
 */
final class EvenTime {
  private static final int CORRECTED = 10;

  private final Nanos nanos;
  private boolean begun;
  private long lastNanos;
  private long evenNanos;

  /** Nanoseconds since some moment, which pass evenly. */
  interface Nanos extends Serializable {
    long now();
  }

  EvenTime(Nanos nanos) {
    this.nanos = nanos;
  }

  /**
   * The time now, in milliseconds since 1970; the first one is the wall clock's.
   *
   * @param wallMillis what the wall clock says
   */
  long millis(long wallMillis) {
    long now = nanos.now();
    long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis);
    if (begun) {
      long passed = now - lastNanos;
      evenNanos += passed;
      long most = passed / CORRECTED;
      evenNanos += Math.max(-most, Math.min(most, wall - evenNanos));
    } else {
      evenNanos = wall;
      begun = true;
    }
    lastNanos = now;
    return TimeUnit.NANOSECONDS.toMillis(evenNanos);
  }
}
