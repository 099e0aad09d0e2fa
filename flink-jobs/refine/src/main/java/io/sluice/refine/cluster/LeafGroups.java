package io.sluice.refine.cluster;

import io.sluice.control.error.BadInputException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The leaves of a tree in a few groups of such as are near to each other: k-means over the leaves'
 * centres, each of which counts once, however many documents it has.
 */
public final class LeafGroups {
  private LeafGroups() {}

  /**
   * Divides the leaves.
   *
   * @param groups at least 1, at most as many as there are leaves; fewer come out where fewer
   *     centres differ
   * @return the group of each leaf, from 0, by the leaf's id
   * @throws BadInputException if there are not as many leaves
   */
  public static Map<Integer, Integer> of(ClusterTree tree, int groups, long seed) {
    int[] leaves = tree.leaves();
    if (groups < 1 || groups > leaves.length) {
      throw new BadInputException(
          "topics must be a whole number from 1 to "
              + leaves.length
              + ", the clusters of the lowest level: found "
              + groups);
    }
    float[][] centres = new float[leaves.length][];
    int count = 0;
    for (Centroids node : tree.nodes(tree.levels())) {
      for (int child = 0; child < node.size(); child++) {
        centres[count++] = node.centre(child);
      }
    }
    int[] nearest = KMeans.fit(centres, groups, seed).nearest();
    Map<Integer, Integer> found = new TreeMap<>();
    for (int leaf = 0; leaf < leaves.length; leaf++) {
      found.put(leaves[leaf], nearest[leaf]);
    }
    return found;
  }
}
