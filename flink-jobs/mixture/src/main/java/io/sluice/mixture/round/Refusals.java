package io.sluice.mixture.round;

/** Why feedback does not count, where people are told more than the reason. */
public final class Refusals {
  /** The step's round is closed, or its winner is known. */
  public static final String DECIDED = "the step is decided";

  /** What is reported is there. */
  public static final String REPEATED = "this rank of the attempt has reported already";

  private Refusals() {}

  /**
   * Whether nothing is wrong with refused feedback: trainers that resume from a checkpoint measure
   * again what was decided while they were at it before.
   */
  public static boolean isReplay(String refusal) {
    return refusal.contains(DECIDED)
        || refusal.contains(REPEATED)
        || refusal.contains(Report.CLOSED);
  }
}
