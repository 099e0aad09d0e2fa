package io.sluice.mixture.cluster;

import java.util.List;

/**
 * Clusters of clusters: each inner node holds the centroids of its children. A point falls to the
 * leaf that is reached by always taking the nearest child, which costs one node per level; the
 * nearest leaf of all may be another one, near the borders of upper clusters.
 *
 * @param children the subtrees, one for each centroid; empty at the lowest level
 */
public record ClusterTree(Centroids centroids, List<ClusterTree> children) {
  /** Checks that every centroid has a subtree, or none has. */
  public ClusterTree {
    children = List.copyOf(children);
    if (!children.isEmpty() && children.size() != centroids.size()) {
      throw new IllegalArgumentException(
          "children must be " + centroids.size() + " or 0: " + children.size());
    }
  }

  /** A tree of one level. */
  public static ClusterTree leaves(Centroids centroids) {
    return new ClusterTree(centroids, List.of());
  }

  /** Number of leaves. */
  public int size() {
    return children.isEmpty()
        ? centroids.size()
        : children.stream().mapToInt(ClusterTree::size).sum();
  }

  /** The leaf that descent reaches; leaves are numbered from the left. */
  public int descend(double[] point) {
    int branch = centroids.nearest(point);
    if (children.isEmpty()) {
      return branch;
    }
    int before = children.subList(0, branch).stream().mapToInt(ClusterTree::size).sum();
    return before + children.get(branch).descend(point);
  }

  /** The centroids of all leaves in their order, for assignment to the nearest of all. */
  public Centroids flat() {
    if (children.isEmpty()) {
      return centroids;
    }
    return Centroids.of(
        children.stream()
            .map(ClusterTree::flat)
            .flatMap(
                leaves ->
                    java.util.stream.IntStream.range(0, leaves.size()).mapToObj(leaves::centre))
            .toArray(double[][]::new));
  }
}
