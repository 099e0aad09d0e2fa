package io.sluice.refine.cluster;

import io.sluice.control.error.BadInputException;
import java.util.Arrays;

/**
 * Clusters of clusters, as in section 3 of the DGA paper: each inner node has the centres of its
 * children, and all leaves are at the lowest level. Immutable.
 *
 * <p>A cluster's id is that of its parent times the branching, plus its place among the children
 * from 0: with 64 and three levels {@code ((c1 * 64) + c2) * 64 + c3}. Where a node has fewer
 * children than the branching, ids are left out.
 */
public final class ClusterTree {
  /** Most levels. */
  public static final int MOST_LEVELS = 3;

  /** Most children of a node. */
  public static final int MOST_CHILDREN = 1024;

  /** Ids are below this at every level. */
  private static final long IDS = 1L << 20;

  private final int branching;

  /** By level, then by node of that level in the order of their ids. */
  private final Centroids[][] nodes;

  /** By level and node, the place of its first child among the clusters of the level. */
  private final int[][] firsts;

  /** By level, the ids of its clusters, ascending. */
  private final int[][] ids;

  /**
   * A tree from its nodes.
   *
   * @param nodes by level and node: one on the first level, then one for each cluster of the level
   *     before
   */
  ClusterTree(int branching, Centroids[][] nodes) {
    checkShape(branching, nodes.length);
    this.branching = branching;
    this.nodes = nodes;
    this.firsts = new int[nodes.length][];
    this.ids = new int[nodes.length][];
    int[] parents = {0};
    for (int level = 0; level < nodes.length; level++) {
      if (nodes[level].length != parents.length) {
        throw new IllegalArgumentException(
            "level " + level + " must have " + parents.length + " nodes: " + nodes[level].length);
      }
      firsts[level] = new int[parents.length];
      int[] children = new int[Arrays.stream(nodes[level]).mapToInt(Centroids::size).sum()];
      int count = 0;
      for (int node = 0; node < parents.length; node++) {
        firsts[level][node] = count;
        for (int child = 0; child < nodes[level][node].size(); child++) {
          children[count++] = parents[node] * branching + child;
        }
      }
      ids[level] = children;
      parents = children;
    }
  }

  /**
   * Checks that a tree can have a shape.
   *
   * @throws BadInputException if there are too many levels, children or ids
   */
  public static void checkShape(int branching, int levels) {
    check("levels", 1, MOST_LEVELS, levels);
    check("branching", 2, MOST_CHILDREN, branching);
    if (Math.pow(branching, levels) > IDS) {
      throw new BadInputException(
          "branching to the power of levels must be at most "
              + IDS
              + ": found "
              + branching
              + " and "
              + levels);
    }
  }

  private static void check(String key, int min, int max, int found) {
    if (found < min || found > max) {
      throw new BadInputException(
          key + " must be a whole number from " + min + " to " + max + ": found " + found);
    }
  }

  /** Most children of a node. */
  public int branching() {
    return branching;
  }

  /** Number of levels below the root. */
  public int levels() {
    return nodes.length;
  }

  /** Coordinates of every centre. */
  public int dimension() {
    return nodes[0][0].dimension();
  }

  /** Ids of the clusters of a level from 1, ascending; a copy. */
  public int[] clusters(int level) {
    return ids[level - 1].clone();
  }

  /** Ids of the leaves, ascending; a copy. */
  public int[] leaves() {
    return clusters(levels());
  }

  /** The cluster of a level from 1 that a leaf is below, or is. */
  public int above(int leaf, int level) {
    int id = leaf;
    for (int below = levels(); below > level; below--) {
      id /= branching;
    }
    return id;
  }

  /**
   * The leaf that descent reaches, always by the nearest child, of several the first: the cost is
   * that of one node's distances for each level. Near the borders of upper clusters it may not be
   * the nearest leaf.
   *
   * @throws IllegalArgumentException if the vector has another dimension, or a coordinate that is
   *     not finite
   */
  public int descend(float[] vector) {
    float[] distances = new float[branching];
    int node = 0;
    int id = 0;
    for (int level = 0; level < nodes.length; level++) {
      int child = nodes[level][node].nearest(vector, distances);
      id = id * branching + child;
      node = firsts[level][node] + child;
    }
    return id;
  }

  /**
   * The leaf whose centre is nearest of all, of several the first: equation 4 of the DGA paper, for
   * which every leaf's distance is taken.
   *
   * @throws IllegalArgumentException as {@link #descend} does
   */
  public int nearest(float[] vector) {
    float[] distances = new float[branching];
    Centroids[] lowest = nodes[nodes.length - 1];
    int best = 0;
    float least = Float.POSITIVE_INFINITY;
    for (int node = 0; node < lowest.length; node++) {
      int child = lowest[node].nearest(vector, distances);
      if (distances[child] < least) {
        least = distances[child];
        best = firsts[nodes.length - 1][node] + child;
      }
    }
    return ids[nodes.length - 1][best];
  }

  /** The nodes of a level from 1, in the order of their ids. */
  Centroids[] nodes(int level) {
    return nodes[level - 1];
  }
}
