package io.sluice.mixture.log;

import io.sluice.mixture.plan.MixturePlan;

/** The version of the plan that a run's first entry pins, for readers that do not plan. */
public final class PlanVersion {
  private PlanVersion() {}

  /**
   * Checks a version.
   *
   * @return the version
   * @throws IllegalArgumentException unless this build knows it
   */
  public static int requireKnown(int version) {
    return MixturePlan.requireKnown(version);
  }
}
