package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import java.util.List;

/**
 * Importance sampling: keeps the weights that the target set's own domains give, the share of its
 * examples that fall to each (Fan, Grangier, Ablin, section 2.3, equation 4).
 *
 * <p>The histogram is counted beforehand, see {@link io.sluice.mixture.cluster}; a domain to which
 * no example falls has weight 0.
 */
record ImportanceSamplingPolicy(double[] histogram) implements Policy {
  static final String NAME = "importance-sampling";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of();
  }

  @Override
  public double[] startingShares(double[] shares) {
    return histogram.clone();
  }

  @Override
  public byte[] initialState(double[] shares) {
    return new byte[0];
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    throw new IllegalStateException("the importance-sampling policy has no rounds");
  }

  /** Takes the count of each domain. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      double[] counts = read.perDomainOr("histogram", domains, 0, 0, 1e15);
      return new ImportanceSamplingPolicy(read.requirePositive("histogram", counts));
    }
  }
}
