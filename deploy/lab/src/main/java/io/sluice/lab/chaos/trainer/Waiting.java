package io.sluice.lab.chaos.trainer;

import io.sluice.control.error.UnreachableException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for time, and for conditions. */
public final class Waiting {
  private static final Duration POLL = Duration.ofMillis(200);

  private Waiting() {}

  /** Lets the time pass. */
  public static void pass(Duration time) {
    try {
      TimeUnit.MILLISECONDS.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted", e);
    }
  }

  /** Waits until the condition holds; false if the time passes first. */
  public static boolean until(BooleanSupplier condition, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean holds = condition.getAsBoolean();
    while (!holds && System.nanoTime() < deadline) {
      pass(POLL);
      holds = condition.getAsBoolean();
    }
    return holds;
  }
}
