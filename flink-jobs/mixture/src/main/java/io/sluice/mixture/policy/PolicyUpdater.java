package io.sluice.mixture.policy;

/**
 * A policy on its way through a run: it takes report after report in arrays that it keeps. The same
 * reports give the same weights and the same state as {@link Policy#decide} does. Not thread-safe.
 */
public interface PolicyUpdater {
  /**
   * Decides on one report.
   *
   * @param observation has every metric that the policy needs
   */
  void take(Observation observation);

  /** The weights decided last, not negative, in any scale; changed by the next report. */
  double[] shares();

  /** What moved them, one for each domain, or nothing; changed by the next report. */
  double[] scores();

  /** State after the last report. */
  byte[] state();

  /**
   * What people should know of the last decision besides, such as that from here on nothing moves
   * the weights; ''.
   */
  default String note() {
    return "";
  }

  /**
   * The last decision, which later reports do not change; to be given by an updater that has more
   * to say than the above.
   */
  default Policy.Decision decision() {
    return new Policy.Decision(state(), shares().clone(), scores().clone(), note());
  }
}
