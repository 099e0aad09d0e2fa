package io.sluice.cli.chaos;

/**
 * How a run of the test moves its weights.
 *
 * @param yaml the policy, as a run's file has it
 * @param every steps between two reports of losses; 0 for none
 * @param lead batches that may be granted beyond the trainer; 0 to the end of the interval
 */
record RunPolicy(String yaml, long every, long lead) {
  /** Never moves, and has batches for many seconds granted ahead. */
  static final RunPolicy STATIC = new RunPolicy("static", 0, 400);

  /** Moves every 20 batches, and has no batch granted beyond them. */
  static final RunPolicy VELOCITUNE =
      new RunPolicy("{velocitune: {every: 20, target-fraction: 0.5}}", 20, 0);
}
