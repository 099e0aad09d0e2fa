package io.sluice.mixture.policy;

import java.util.List;

/**
 * Decides a run's domain weights from what its trainers measure. A pure function: everything it
 * remembers is in the state that it is handed and hands back.
 */
public interface Policy {
  /** Name in a run's specification. */
  String name();

  /**
   * The metrics that a round waits for, see {@link Metrics}; empty for a policy that needs none.
   */
  List<String> metrics();

  /**
   * What each value of a metric is of.
   *
   * @param domains of the run
   * @return the domains, unless the policy measures something else
   */
  default List<String> measured(List<String> domains) {
    return domains;
  }

  /** Whether it decides anything after the start; without rounds the weights never change. */
  default boolean hasRounds() {
    return !metrics().isEmpty();
  }

  /** Whether the report of step 0 is decided on before that of the first round. */
  default boolean startsFromStepZero() {
    return false;
  }

  /**
   * The weights that a run starts with.
   *
   * @param shares the run's own initial weights, summing to 1
   * @return those, unless the policy determines them; not negative, in any scale
   */
  default double[] startingShares(double[] shares) {
    return shares;
  }

  /**
   * State before any round, as bytes that start with the policy's own version.
   *
   * @param shares initial weights, summing to 1
   */
  byte[] initialState(double[] shares);

  /**
   * The decision of one round.
   *
   * @param observation has every metric that the policy needs
   */
  Decision decide(byte[] state, Observation observation);

  /**
   * What a round decided.
   *
   * @param state policy state after the round
   * @param shares weights before smoothing, not negative; they need not sum to 1 exactly
   * @param scores what moved the weights, one for each domain, for people to read; may be empty
   */
  record Decision(byte[] state, double[] shares, double[] scores) {}
}
