package io.sluice.service;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How long tests wait before they call it a failure: what suits an idle machine, times one factor.
 * {@code SLUICE_PATIENCE} gives the factor; otherwise it is how much longer than on an idle machine
 * a piece of work takes here and now. Who has waited in vain looks again how busy the machine is
 * before giving up.
 */
public final class Patience {
  private static final String VARIABLE = "SLUICE_PATIENCE";
  private static final double MOST = 30;
  private static final int WORK_BYTES = 1 << 20;
  private static final int WORK_ROUNDS = 64;

  /**
   * What the work takes one thread of an idle machine of the year 2020, without SHA in hardware.
   */
  private static final Duration IDLE = Duration.ofMillis(400);

  private static final long LEAST_PAUSE_NANOS = 10_000_000;
  private static final long MOST_PAUSE_NANOS = 250_000_000;

  /** For what takes seconds on an idle machine. */
  public static final Duration MINUTE = of(Duration.ofMinutes(1));

  private Patience() {}

  /** The time to wait here for what should not take longer than this on an idle machine. */
  public static Duration of(Duration idle) {
    return Duration.ofNanos((long) (idle.toNanos() * factor()));
  }

  /**
   * The factor, at least 1.
   *
   * @throws IllegalArgumentException if the variable is not a number in [1, 30]
   */
  static double factor() {
    String given = System.getenv(VARIABLE);
    return given == null ? measured() : parse(given);
  }

  static double parse(String given) {
    double factor;
    try {
      factor = Double.parseDouble(given);
    } catch (NumberFormatException e) {
      factor = Double.NaN;
    }
    if (!(factor >= 1 && factor <= MOST)) {
      throw new IllegalArgumentException(
          VARIABLE + " must be a number in [1, " + MOST + "]: '" + given + "'");
    }
    return factor;
  }

  private static double measured() {
    long start = System.nanoTime();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] work = new byte[WORK_BYTES];
      for (int i = 0; i < WORK_ROUNDS; i++) {
        digest.update(work);
      }
      work[0] = digest.digest()[0];
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    double taken = System.nanoTime() - start;
    return Math.max(1, Math.min(MOST, taken / IDLE.toNanos()));
  }

  /** Waits until something holds, and fails when that takes too long. */
  public static void await(Duration idle, BooleanSupplier condition) {
    await(idle, condition::getAsBoolean, held -> held);
  }

  /**
   * Looks until it sees what it wants; fails, with the last that it saw, when that takes too long.
   * How busy the machine is it finds out only where it has waited as long as on an idle one; the
   * longer it waits, the longer it pauses between two looks.
   *
   * @param idle how long that may take on an idle machine
   */
  public static <T> T await(Duration idle, Supplier<T> reading, Predicate<T> wanted) {
    long start = System.nanoTime();
    long patience = idle.toNanos();
    T read = reading.get();
    while (!wanted.test(read)) {
      long waited = System.nanoTime() - start;
      if (waited > patience) {
        patience = of(idle).toNanos();
        if (waited > patience) {
          throw new AssertionError("after " + Duration.ofNanos(waited) + " still " + read);
        }
      }
      long pause = Math.max(LEAST_PAUSE_NANOS, Math.min(MOST_PAUSE_NANOS, waited / 8));
      LockSupport.parkNanos(pause);
      read = reading.get();
    }
    return read;
  }
}
