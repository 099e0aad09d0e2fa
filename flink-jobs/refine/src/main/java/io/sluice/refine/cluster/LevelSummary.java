package io.sluice.refine.cluster;

import java.util.Arrays;

/**
 * What came out at a level of a tree, of the vectors that it was fitted to.
 *
 * @param clusters number of clusters
 * @param inertia sum of the vectors' squared distances to the centres of their clusters
 * @param smallest vectors of the smallest cluster
 * @param median vectors of the cluster in the middle, the smaller of two
 * @param largest vectors of the largest cluster
 */
public record LevelSummary(int clusters, double inertia, int smallest, int median, int largest) {
  static LevelSummary of(double inertia, int[] sizes) {
    int[] sorted = sizes.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    return new LevelSummary(sorted.length, inertia, sorted[0], sorted[last / 2], sorted[last]);
  }
}
