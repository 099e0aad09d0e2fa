package io.sluice.refine.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Shares of a set of documents that fall to each cluster: the importance histogram of section 2.3
 * of the DGA paper, equation 4. Immutable.
 *
 * @param clusters {@linkplain ClusterModel#hash() hash} of the model whose clusters they are
 * @param documents of the set, at least 1
 * @param weights share by id of a cluster, above 0; those left out have none; their sum is 1
 */
public record Histogram(String clusters, long documents, SortedMap<Integer, Double> weights) {
  private static final double ROUNDING = 1e-6;

  /** Checks all and copies the map. */
  public Histogram {
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
    if (!clusters.matches("[0-9a-f]{64}")) {
      throw new BadInputException("clusters must be a model's hash: found '" + clusters + "'");
    }
    if (documents < 1) {
      throw new BadInputException("a histogram must have at least 1 document: found " + documents);
    }
    double sum = 0;
    for (Map.Entry<Integer, Double> weight : weights.entrySet()) {
      double share = weight.getValue();
      if (!(share > 0 && share <= 1 + ROUNDING) || weight.getKey() < 0) {
        throw new BadInputException(
            "weights of a histogram must be shares above 0 by cluster: found " + weight);
      }
      sum += share;
    }
    if (!(Math.abs(sum - 1) <= ROUNDING)) {
      throw new BadInputException("weights of a histogram must add up to 1: found " + sum);
    }
  }

  /**
   * The histogram of documents that were counted.
   *
   * @param counts documents by id of a cluster, not all 0
   */
  public static Histogram of(String clusters, Map<Integer, Long> counts) {
    long documents = counts.values().stream().mapToLong(Long::longValue).sum();
    SortedMap<Integer, Double> weights = new TreeMap<>();
    counts.forEach(
        (cluster, count) -> {
          if (count != 0) {
            weights.put(cluster, count / (double) documents);
          }
        });
    return new Histogram(clusters, documents, weights);
  }

  /** Share of a cluster; 0 where none is said. */
  public double weight(int cluster) {
    return weights.getOrDefault(cluster, 0.0);
  }

  /** Documents that fell to a cluster, from its share. */
  public long count(int cluster) {
    return Math.round(weight(cluster) * documents);
  }

  /** The same documents by the clusters of a level from 1 that their leaves are below. */
  public Histogram above(ClusterTree tree, int level) {
    SortedMap<Integer, Double> sums = new TreeMap<>();
    weights.forEach((leaf, share) -> sums.merge(tree.above(leaf, level), share, Double::sum));
    return new Histogram(clusters, documents, sums);
  }

  /**
   * The form in files, see {@link Histograms}: {@code {"clusters": hash, "documents": n, "weights":
   * {"cluster": share}}}.
   */
  public ObjectNode json() {
    return Histograms.json(this);
  }
}
