package io.sluice.mixture.decide;

import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.UnknownPolicyException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The policy of one run, for whoever decides about it: made from the run's settings once until they
 * change, and kept on its way through the rounds while the log goes the same way.
 */
public final class RunPolicy {
  private @Nullable RunSettings settings;
  private @Nullable Policy policy;
  private @Nullable IllegalArgumentException refusal;
  private @Nullable PolicyUpdater updater;
  private byte[] stateOfUpdater = {};

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
  @SuppressWarnings("ReferenceEquality") // A fold keeps its settings until others take their place.
  public Optional<Policy> find(RunSettings wanted) {
    if (!wanted.equals(settings)) {
      policy = null;
      refusal = null;
      updater = null;
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
   * What the policy decides on reports, one after the other, from the state that the log holds. If
   * that is what it left behind the last time, it goes on in the arrays that it has; otherwise, as
   * after a restart, a rewind, or a decision that another writer's overtook, it begins again from
   * the log's.
   *
   * @param heard at least one
   */
  Policy.Decision decide(RunState state, List<Observation> heard) {
    Policy deciding = of(state.settings());
    PolicyUpdater kept = updater;
    // What fails half way is in no state that anybody knows.
    updater = null;
    if (kept == null || !state.hasPolicyState(stateOfUpdater)) {
      kept = deciding.updater(state.policyState());
    }
    for (Observation observation : heard) {
      kept.take(observation);
    }
    Policy.Decision decision = kept.decision();
    stateOfUpdater = decision.state();
    updater = kept;
    return decision;
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
