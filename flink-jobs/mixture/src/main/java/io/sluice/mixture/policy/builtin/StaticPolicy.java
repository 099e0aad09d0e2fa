package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import java.util.List;

/** Keeps the initial weights: the baseline of every comparison. */
public record StaticPolicy() implements Policy {
  public static final String NAME = "static";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of();
  }

  @Override
  public byte[] initialState(double[] shares) {
    return new byte[0];
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    throw new IllegalStateException("the static policy has no rounds");
  }

  /** Takes no settings. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings settings, List<String> domains) {
      return new StaticPolicy();
    }
  }
}
