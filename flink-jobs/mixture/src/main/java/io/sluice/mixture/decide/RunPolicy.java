package io.sluice.mixture.decide;

import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.UnknownPolicyException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The policy of one run, for whoever decides about it: made from the run's settings once until they
 * change.
 */
public final class RunPolicy {
  private @Nullable RunSettings settings;
  private @Nullable Policy policy;
  private @Nullable IllegalArgumentException refusal;

  /**
   * The policy that the settings name.
   *
   * @throws UnknownPolicyException if it is not on this process's class path
   * @throws IllegalArgumentException if it cannot act in such a run
   */
  public Policy of(RunSettings wanted) {
    return find(wanted).orElseThrow(() -> Objects.requireNonNull(refusal));
  }

  /** The policy that the settings name; empty where {@link #of} throws. */
  public Optional<Policy> find(RunSettings wanted) {
    if (settings != wanted) {
      policy = null;
      refusal = null;
      try {
        policy = make(wanted);
      } catch (IllegalArgumentException e) {
        refusal = e;
      }
      settings = wanted;
    }
    return Optional.ofNullable(policy);
  }

  /**
   * A policy as it acts in a run of these settings.
   *
   * @throws UnknownPolicyException if it is not on this process's class path
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static Policy make(RunSettings settings) {
    Policy policy =
        Policies.create(settings.policyName(), settings.policySettings(), settings.domains())
            .inRun(settings.cadence());
    settings.guards().check(settings.domains(), starting(policy, settings.initialWeights()));
    boolean rounds = policy.hasRounds();
    if (rounds != settings.updateEvery() > 0) {
      throw new IllegalArgumentException(
          "policy.every must be "
              + (rounds ? "at least 1 for " : "absent for ")
              + settings.policyName()
              + ": "
              + settings.updateEvery());
    }
    return policy;
  }

  /**
   * What a run of these settings begins with.
   *
   * @throws IllegalArgumentException likewise
   */
  public static Snapshot start(RunSettings settings) {
    Policy policy = make(settings);
    Weights weights = starting(policy, settings.initialWeights());
    return Snapshot.start(settings, weights, policy.initialState(weights.shares()));
  }

  /** The weights that a policy starts with where others are given. */
  static Weights starting(Policy policy, Weights given) {
    double[] shares = given.shares();
    double[] starting = policy.startingShares(shares);
    return starting == shares ? given : Weights.ofShares(starting);
  }
}
