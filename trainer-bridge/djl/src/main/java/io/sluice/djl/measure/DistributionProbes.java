package io.sluice.djl.measure;

import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pools of probe blocks that each follow a distribution over the domains: x_i of mix(p_i) in
 * algorithm 2 of the DGA paper. The domains of a distribution take turns, each as often as its
 * share says, so that batches out of the pool, one after the other, have its shares.
 */
final class DistributionProbes {
  private static final String BASIS = "basis.";

  private DistributionProbes() {}

  /**
   * A pool for each distribution, as large as its domains' pools together.
   *
   * @param spec whose policy's settings have {@code basis.NAME: domain=share …}
   * @param names of the distributions
   * @param probes blocks by domain
   * @throws IllegalArgumentException if the settings do not have a distribution, or none of domains
   *     with blocks
   */
  static Map<String, List<TokenBlock>> of(
      RunSpec spec, List<String> names, Map<String, List<TokenBlock>> probes) {
    Map<String, List<TokenBlock>> pools = new LinkedHashMap<>();
    for (String name : names) {
      String text = spec.getPolicySettings().get(BASIS + name);
      if (text == null) {
        throw new IllegalArgumentException(
            "policy '"
                + spec.getPolicy()
                + "' waits for alignment of '"
                + name
                + "', and no setting "
                + BASIS
                + name
                + " says which domains that is of");
      }
      pools.put(name, pool(name, shares(text), probes));
    }
    return pools;
  }

  private static Map<String, Double> shares(String text) {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (String pair : text.strip().split("\\s+", -1)) {
      int equals = pair.lastIndexOf('=');
      double share = Double.parseDouble(pair.substring(equals + 1));
      if (share > 0) {
        shares.put(pair.substring(0, Math.max(0, equals)), share);
      }
    }
    return shares;
  }

  private static List<TokenBlock> pool(
      String name, Map<String, Double> shares, Map<String, List<TokenBlock>> probes) {
    List<List<TokenBlock>> domains = new ArrayList<>();
    int size = 0;
    for (String domain : shares.keySet()) {
      List<TokenBlock> blocks = probes.getOrDefault(domain, List.of());
      if (blocks.isEmpty()) {
        throw new IllegalArgumentException(
            "domain "
                + domain
                + " of distribution "
                + name
                + " must have probe blocks: found none");
      }
      domains.add(blocks);
      size += blocks.size();
    }
    double[] share = shares.values().stream().mapToDouble(Double::doubleValue).toArray();
    int[] taken = new int[share.length];
    List<TokenBlock> pool = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int next = next(share, taken);
      List<TokenBlock> blocks = domains.get(next);
      pool.add(blocks.get(taken[next]++ % blocks.size()));
    }
    return pool;
  }

  /** Whose next turn is due first: the one that is least ahead of its share. */
  private static int next(double[] share, int[] taken) {
    int next = 0;
    for (int i = 1; i < share.length; i++) {
      if ((taken[i] + 0.5) / share[i] < (taken[next] + 0.5) / share[next]) {
        next = i;
      }
    }
    return next;
  }
}
