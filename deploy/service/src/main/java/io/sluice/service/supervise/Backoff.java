package io.sluice.service.supervise;

import java.time.Duration;

/**
 * How long to wait before a process is started again: a first pause, doubled each time up to the
 * longest. A process that lived for the time of grace begins anew.
 *
 * @param first pause, at least 1 ms
 * @param longest pause, at least the first
 * @param grace life after which an end is no repetition of the one before
 */
public record Backoff(Duration first, Duration longest, Duration grace) {
  /** 200 ms, doubled up to 30 s, anew after 20 s of life. */
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
   */
  public Duration after(Duration before, Duration lived) {
    if (before.isZero() || lived.compareTo(grace) >= 0) {
      return first;
    }
    Duration doubled = before.multipliedBy(2);
    return doubled.compareTo(longest) < 0 ? doubled : longest;
  }
}
