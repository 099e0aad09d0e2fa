package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import java.util.List;

/**
 * Importance sampling: keeps the weights that the target set's own domains give, the share of its
 * examples that fall to each (Fan, Grangier, Ablin, section 2.3, equation 4).
 *
 * <p>Takes the histogram, which is counted beforehand; a domain to which no example falls has
 * weight 0.
 */
public record ImportanceSampling() implements PolicyFactory {
  @Override
  public String name() {
    return "importance-sampling";
  }

  @Override
  public Policy create(PolicySettings read, List<String> domains) {
    double[] counts = read.perDomainOr("histogram", domains, 0, 0, 1e15);
    return new StaticPolicy(name(), read.requirePositive("histogram", counts));
  }
}
