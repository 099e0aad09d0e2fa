package io.sluice.mixture.policy;

import java.util.List;

/**
 * Makes a policy from a run's specification. Implementations are found by {@link
 * java.util.ServiceLoader}: a jar that lists its factory in {@code
 * META-INF/services/io.sluice.mixture.policy.PolicyFactory} adds a policy.
 */
public interface PolicyFactory {
  /** Name that a run gives to choose the policy; lower case with hyphens. */
  String name();

  /**
   * The policy of a run.
   *
   * @param settings whatever is not read from them is refused
   * @param domains of the run, in the order of every per-domain array
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  Policy create(PolicySettings settings, List<String> domains);
}
