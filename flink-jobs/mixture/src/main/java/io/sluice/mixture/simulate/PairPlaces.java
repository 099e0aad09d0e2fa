package io.sluice.mixture.simulate;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policy;
import java.util.List;

/**
 * Which domains the values of a metric of pairs are of.
 *
 * @param first place of the first domain of each value
 * @param second place of the second
 * @param heldOut whether the first is a target, measured on held-out documents
 */
record PairPlaces(int[] first, int[] second, boolean heldOut) {
  private static final PairPlaces NONE = new PairPlaces(new int[0], new int[0], false);

  /** Those of a policy's gradient products; none if it needs none. */
  static PairPlaces of(Policy policy, List<String> domains) {
    String metric = Metrics.GRADIENT_PRODUCT;
    if (!policy.metrics().contains(metric)) {
      return NONE;
    }
    List<String> names = policy.axis(metric).names(domains);
    int[] first = new int[names.size()];
    int[] second = new int[names.size()];
    for (int n = 0; n < first.length; n++) {
      int between = names.get(n).indexOf(Axis.BETWEEN);
      first[n] = domains.indexOf(names.get(n).substring(0, Math.max(between, 0)));
      second[n] = domains.indexOf(names.get(n).substring(between + 1));
      if (first[n] < 0 || second[n] < 0) {
        throw new IllegalArgumentException(
            "a simulated policy must need %s of pairs of %s: '%s'"
                .formatted(metric, domains, names.get(n)));
      }
    }
    return new PairPlaces(first, second, !policy.targetDomains(metric).isEmpty());
  }
}
