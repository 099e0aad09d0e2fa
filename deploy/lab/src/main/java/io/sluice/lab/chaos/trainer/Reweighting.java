package io.sluice.lab.chaos.trainer;

/**
 * How a run of the test moves its weights.
 *
 * @param yaml the policy, as a run's file has it
 * @param metric that the trainer reports after every step; '' for none
 * @param lead batches that may be granted beyond the trainer; 0 to the end of the interval
 */
public record Reweighting(String yaml, String metric, long lead) {
  /** Never moves, and has batches for many seconds granted ahead. */
  public static final Reweighting STATIC = new Reweighting("static", "", 400);

  /** Moves after every batch, and has no batch granted beyond it. */
  public static final Reweighting EVERY_STEP =
      new Reweighting("{odm: {every: 1, warm-up: 0}}", "train_loss", 0);
}
