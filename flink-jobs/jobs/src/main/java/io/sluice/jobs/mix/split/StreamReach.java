package io.sluice.jobs.mix.split;

import java.util.Arrays;

/**
 * How far the partitions of a stream reached when brokers had all that a split emitted, so that it
 * can be told later whether they still do. The arrays are never changed once it exists.
 *
 * @param ends per partition, the offset after the last record that was acknowledged; 0 where there
 *     is none. Empty where nothing is known
 * @param epochs per partition, a leader's epoch under which that was there; {@link #UNKNOWN} where
 *     none was asked for
 */
public record StreamReach(long[] ends, long[] epochs) {
  /** In place of an epoch. */
  public static final long UNKNOWN = -1;

  private static final StreamReach NONE = new StreamReach(new long[0], new long[0]);

  public StreamReach {
    if (ends.length != epochs.length) {
      throw new IllegalArgumentException(
          "a stream must have an epoch for each of " + ends.length + " ends: " + epochs.length);
    }
  }

  /** Of a split of which nothing is known. */
  public static StreamReach none() {
    return NONE;
  }

  /** Whether there is something that can be lost. */
  public boolean isAny() {
    return Arrays.stream(ends).anyMatch(end -> end > 0);
  }
}
