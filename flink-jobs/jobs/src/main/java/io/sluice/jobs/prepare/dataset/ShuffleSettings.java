package io.sluice.jobs.prepare.dataset;

import java.time.Duration;

/**
 * How a domain's documents are shuffled.
 *
 * @param buffer documents in the shuffle buffer, in [1, 10000000]; 1 keeps the order; {@link
 *     #GLOBAL} for all of the domain at once, when it has ended
 * @param longestWait after which a shuffle buffer that is not turned over lets its documents go, in
 *     [1 s, 365 d]; zero for never
 * @param seed of the shuffle
 */
public record ShuffleSettings(int buffer, Duration longestWait, long seed) {
  /** In the place of a buffer's documents: all of them are drawn from. */
  public static final int GLOBAL = -1;

  /** Most documents in the shuffle buffer. */
  public static final int LARGEST_BUFFER = 10_000_000;

  /** Shortest time after which a shuffle buffer lets its documents go: each is a record. */
  public static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

  /** Longest time after which a shuffle buffer lets its documents go. */
  public static final Duration LONGEST_WAIT = Duration.ofDays(365);

  /**
   * Checks every range.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public ShuffleSettings {
    if (buffer != GLOBAL) {
      Ranges.require("shuffle-buffer", buffer, LARGEST_BUFFER);
    } else if (!longestWait.isZero()) {
      throw new IllegalArgumentException(
          "shuffle-wait is for a shuffle-buffer: with shuffle: global documents wait for the end"
              + " of their domain: found "
              + longestWait);
    }
    if (!longestWait.isZero()
        && (longestWait.compareTo(SHORTEST_WAIT) < 0 || longestWait.compareTo(LONGEST_WAIT) > 0)) {
      throw new IllegalArgumentException(
          "shuffle-wait must be in [1s, 365d], or zero for never: found " + longestWait);
    }
  }
}
