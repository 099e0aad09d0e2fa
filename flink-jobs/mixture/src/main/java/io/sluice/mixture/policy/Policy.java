package io.sluice.mixture.policy;

/**
 * Decides a run's domain weights from what its trainers measure. A pure function: everything it
 * remembers is in the state that it is handed and hands back.
 */
public interface Policy {
  /** Name in a run's specification. */
  String name();

  /** The metric that rounds collect, or '' for a policy that never changes the weights. */
  String metric();

  /** Whether the report of step 0 is decided on before that of the first round. */
  boolean startsFromStepZero();

  /**
   * State before any round, as bytes that start with the policy's own version.
   *
   * @param shares initial weights, summing to 1
   */
  byte[] initialState(double[] shares);

  /**
   * The decision of one round.
   *
   * @param values one for each domain; NaN where nothing was measured, otherwise finite
   */
  Decision decide(byte[] state, double[] values);

  /**
   * What a round decided.
   *
   * @param state policy state after the round
   * @param shares weights before smoothing, not negative; they need not sum to 1 exactly
   * @param scores what moved the weights, one for each domain, for people to read; may be empty
   */
  record Decision(byte[] state, double[] shares, double[] scores) {}
}
