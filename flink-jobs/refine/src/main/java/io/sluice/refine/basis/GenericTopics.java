package io.sluice.refine.basis;

import io.sluice.refine.cluster.ClusterTree;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.cluster.LeafGroups;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Basis distributions where no sets are known that could be one: {@linkplain LeafGroups groups} of
 * clusters, of which each is the pool's own distribution within it. Section 3.2 of the DGA paper
 * takes 22 sets of other texts instead; these are what the pool itself can tell, and mixtures of
 * them are all that give the clusters of a group their natural proportions.
 */
public final class GenericTopics {
  private GenericTopics() {}

  /**
   * Distributions called {@code g0}, {@code g1} and so on; groups without a document of the pool
   * are left out.
   *
   * @param pool histogram over the tree's leaves
   * @param topics how many groups, at most as many as there are leaves
   * @throws io.sluice.control.error.BadInputException if there are not as many leaves
   */
  public static SortedMap<String, Histogram> of(
      ClusterTree tree, Histogram pool, int topics, long seed) {
    Map<Integer, Integer> groups = LeafGroups.of(tree, topics, seed);
    SortedMap<String, Map<Integer, Long>> counts = new TreeMap<>();
    for (int leaf : pool.weights().keySet()) {
      counts
          .computeIfAbsent("g" + groups.get(leaf), group -> new TreeMap<>())
          .put(leaf, pool.count(leaf));
    }
    SortedMap<String, Histogram> found = new TreeMap<>();
    counts.forEach(
        (group, documents) -> found.put(group, Histogram.of(pool.clusters(), documents)));
    return found;
  }
}
