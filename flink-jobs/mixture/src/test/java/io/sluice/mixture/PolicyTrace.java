package io.sluice.mixture;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.Map;
import java.util.TreeMap;

/** A policy that is driven round by round, its state going through bytes each time. */
public final class PolicyTrace {
  private final Policy policy;
  private byte[] state;
  private Policy.Decision last;

  public PolicyTrace(String name, Map<String, String> settings, double[] initial) {
    this(name, settings, initial, new Cadence(1, 0, new TreeMap<>(Map.of(1L, 1)), 0));
  }

  public PolicyTrace(String name, Map<String, String> settings, double[] initial, Cadence cadence) {
    policy = Policies.create(name, settings, Golden.domains(initial.length)).inRun(cadence);
    state = policy.initialState(initial);
  }

  public PolicyTrace observe(Observation observation) {
    last = policy.decide(state, observation);
    state = last.state().clone();
    return this;
  }

  /** One value for each domain of the policy's first metric. */
  public PolicyTrace observe(long step, double... values) {
    return observe(Observation.at(step).with(policy.metrics().get(0), values));
  }

  public double[] shares() {
    return last.shares();
  }

  public double[] scores() {
    return last.scores();
  }

  public byte[] state() {
    return state.clone();
  }

  public Policy policy() {
    return policy;
  }
}
