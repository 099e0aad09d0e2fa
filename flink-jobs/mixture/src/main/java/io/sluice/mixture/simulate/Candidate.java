package io.sluice.mixture.simulate;

import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.smoothing.Guards;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A policy in a comparison.
 *
 * @param label what tables and plots call it
 * @param policy its name
 * @param settings of the policy, flat, with dotted keys
 * @param guards its smoothing and limits
 */
public record Candidate(
    String label, String policy, Map<String, String> settings, Map<String, String> guards) {
  /** Copies the settings. */
  public Candidate {
    settings = Map.copyOf(settings);
    guards = Map.copyOf(guards);
  }

  /** The policy for these domains; its messages name the key, what it may be, and what it is. */
  public Policy create(List<String> domains) {
    return Policies.create(policy, settings, domains);
  }

  /** What comes between its decisions and the weights; messages likewise. */
  public Guards guardsFor(List<String> domains) {
    return Guards.of(guards, domains);
  }

  /**
   * This candidate with the target losses that its policy needs and nobody gave: velocitune unless
   * it does without, and dynamic batch loading.
   *
   * @param targets one for each domain; asked only if they are needed
   */
  Candidate withTargets(List<String> domains, Supplier<double[]> targets) {
    boolean velocitune = policy.equals("velocitune") && !"false".equals(settings.get("use-target"));
    boolean needed =
        (velocitune || policy.equals("dynamic-batch-loading"))
            && !settings.containsKey("target-fraction");
    return needed ? completed("targets", domains, targets) : this;
  }

  /** This candidate with the histogram that importance sampling needs and nobody gave. */
  Candidate withHistogram(List<String> domains, Supplier<double[]> counts) {
    return policy.equals("importance-sampling") ? completed("histogram", domains, counts) : this;
  }

  private Candidate completed(String key, List<String> domains, Supplier<double[]> wanted) {
    if (settings.keySet().stream().anyMatch(given -> given.startsWith(key + "."))) {
      return this;
    }
    double[] values = wanted.get();
    Map<String, String> more = new HashMap<>(settings);
    for (int i = 0; i < values.length; i++) {
      more.put(key + "." + domains.get(i), Double.toString(values[i]));
    }
    return new Candidate(label, policy, new TreeMap<>(more), guards);
  }
}
