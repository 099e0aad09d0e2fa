package io.sluice.lab.chaos.trainer;

/**
 * How a run of the test moves its weights.
 *
 * @param yaml the policy, as a run's file has it
 * @param metric that the trainer reports after every step; '' for none
 * @param lead batches that may be granted beyond the trainer; 0 to the end of the interval
 */
public record RunPolicy(String yaml, String metric, long lead) {
  /** Never moves, and has batches for many seconds granted ahead. */
  public static final RunPolicy STATIC = new RunPolicy("static", "", 400);

  /** Moves after every batch, and has no batch granted beyond it. */
  public static final RunPolicy EVERY_STEP =
      new RunPolicy("{odm: {every: 1, warm-up: 0}}", "train_loss", 0);
}
