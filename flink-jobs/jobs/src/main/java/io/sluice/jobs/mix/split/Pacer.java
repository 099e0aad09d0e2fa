package io.sluice.jobs.mix.split;

import java.time.Duration;

/**
 * Lets sequences through at a rate. Who takes fewer may catch up for what a second lets through, or
 * one sequence, and no more.
 */
public final class Pacer {
  private static final double SECOND = Duration.ofSeconds(1).toNanos();

  private double allowed = 1;
  private long filledNanos;

  /**
   * One sequence may go at once.
   *
   * @param nowNanos on the clock of {@link System#nanoTime}
   */
  public Pacer(long nowNanos) {
    filledNanos = nowNanos;
  }

  /**
   * Whether a sequence may go.
   *
   * @param perSecond sequences, above 0; may change from call to call
   */
  public boolean isOpen(double perSecond, long nowNanos) {
    double grown = allowed + (nowNanos - filledNanos) / SECOND * perSecond;
    allowed = Math.min(grown, Math.max(1, perSecond));
    filledNanos = nowNanos;
    return allowed >= 1;
  }

  /** A sequence goes. */
  public void spend() {
    allowed--;
  }
}
