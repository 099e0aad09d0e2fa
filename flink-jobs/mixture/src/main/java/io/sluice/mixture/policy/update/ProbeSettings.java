package io.sluice.mixture.policy.update;

import io.sluice.mixture.policy.PolicySettings;

/**
 * Settings of policies that compare gradients which trainers act on, and the policy only checks:
 * where the batches x_i come from, and whether gradients are clipped. Trainers find them in the
 * run's specification.
 */
public final class ProbeSettings {
  private ProbeSettings() {}

  /** Refuses values that no trainer knows. */
  public static void require(PolicySettings read) {
    requireProbes(read);
    read.flag("clip-gradients", true);
  }

  /** Likewise where gradients are never clipped. */
  public static void requireProbes(PolicySettings read) {
    read.choice("probes", "training", "training", "held-out");
  }
}
