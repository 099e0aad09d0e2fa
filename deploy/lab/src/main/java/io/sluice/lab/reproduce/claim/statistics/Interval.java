package io.sluice.lab.reproduce.claim.statistics;

/**
 * A closed interval.
 *
 * @param low at most high
 */
public record Interval(double low, double high) {
  /** Checks the order of the ends. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("low must be at most high: " + low + ", " + high);
    }
  }

  /** Whether all of it lies from -limit to limit. */
  public boolean isWithin(double limit) {
    return low >= -limit && high <= limit;
  }
}
