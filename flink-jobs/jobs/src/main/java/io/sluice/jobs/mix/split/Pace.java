package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.RunLimits;

/**
 * How a run shares the source with others.
 *
 * @param priority its turns are worth so many times what those of priority 1 are
 * @param sequencesPerSecond most that all its lanes emit together; 0 for no ceiling
 */
public record Pace(int priority, double sequencesPerSecond) {
  /** That of a run without limits. */
  public static final Pace FREE = of(RunLimits.NONE);

  /** What the source obeys of a run's limits. */
  public static Pace of(RunLimits limits) {
    return new Pace(limits.priority(), limits.sequencesPerSecond());
  }
}
