package io.sluice.mixture.log;

/**
 * A run's place among others that share a source.
 *
 * @param priority the run's share of what the source gives, next to the shares of other runs
 * @param sequencesPerSecond most that the source emits; 0 for no ceiling. Decides nothing
 * @param heldSequences most sequences that are granted beyond the oldest checkpoint of the
 *     trainers; 0 for no ceiling
 */
public record RunLimits(int priority, double sequencesPerSecond, long heldSequences) {
  /** The priority of who names none. */
  public static final int PRIORITY = 10;

  /** The most that one can have. */
  public static final int MOST_PRIORITY = 100;

  /** No ceilings, and the share that most have. */
  public static final RunLimits NONE = new RunLimits(PRIORITY, 0, 0);

  /** Checks every range; messages name the key of the run's file. */
  public RunLimits {
    if (priority < 1 || priority > MOST_PRIORITY) {
      throw new IllegalArgumentException(
          "priority must be in [1, " + MOST_PRIORITY + "]: " + priority);
    }
    if (!(sequencesPerSecond >= 0) || Double.isInfinite(sequencesPerSecond)) {
      throw new IllegalArgumentException(
          "limits.tokens-per-second must be at least 0: " + sequencesPerSecond);
    }
    if (heldSequences < 0) {
      throw new IllegalArgumentException("limits.stream must be at least 0: " + heldSequences);
    }
  }
}
