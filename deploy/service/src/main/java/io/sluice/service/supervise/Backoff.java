package io.sluice.service.supervise;

import java.time.Duration;

/**
 * How long to wait before a process is started again: a first pause, doubled each time up to the
 * longest. A process that lived for the time of grace and was killed begins anew; one that ended by
 * itself does after three times as long.
 *
 * @param first pause, at least 1 ms
 * @param longest pause, at least the first
 * @param grace life after which being killed is no repetition of the end before
 */
public record Backoff(Duration first, Duration longest, Duration grace) {
  /** Times of grace that a process needs which ended by itself: its next life may end alike. */
  private static final int OWN_ENDS = 3;

  /** 200 ms, doubled up to 30 s, anew after 20 s of life, or a minute if it ended by itself. */
  public static final Backoff STANDARD =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), Duration.ofSeconds(20));

  /** Checks the ranges. */
  public Backoff {
    if (first.toMillis() < 1 || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "the first pause must be at least 1 ms and at most the longest: "
              + first
              + ", "
              + longest);
    }
  }

  /**
   * The pause after an end.
   *
   * @param before the pause before the life that has ended; zero for the first life
   * @param lived how long that life was
   * @param killed whether it was ended from outside
   */
  public Duration after(Duration before, Duration lived, boolean killed) {
    Duration enough = killed ? grace : grace.multipliedBy(OWN_ENDS);
    if (before.isZero() || lived.compareTo(enough) >= 0) {
      return first;
    }
    Duration doubled = before.multipliedBy(2);
    return doubled.compareTo(longest) < 0 ? doubled : longest;
  }
}
