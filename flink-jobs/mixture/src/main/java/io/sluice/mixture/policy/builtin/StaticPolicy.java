package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the weights that it starts with: the run's initial ones, which is the baseline of every
 * comparison, or its own.
 *
 * @param own in any scale; null for the run's
 */
public record StaticPolicy(String name, double @Nullable [] own) implements Policy {
  public static final String NAME = "static";

  @Override
  public List<String> metrics() {
    return List.of();
  }

  @Override
  public double[] startingShares(double[] shares) {
    return own == null ? shares : own.clone();
  }

  @Override
  public byte[] initialState(double[] shares) {
    return new byte[0];
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    throw new IllegalStateException("the " + name + " policy has no rounds");
  }

  /** Takes no settings. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings settings, List<String> domains) {
      return new StaticPolicy(NAME, null);
    }
  }
}
