package io.sluice.refine.cluster;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.text.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Hierarchical k-means, as in section 3 of the DGA paper: all vectors are divided into as many
 * clusters as the branching says, and each cluster again. A cluster has at most one child for every
 * {@value #POINTS} of its vectors, so that small ones have fewer.
 *
 * @param tree the clusters
 * @param levels what came out at each level
 */
public record Hierarchy(ClusterTree tree, List<LevelSummary> levels) {
  /** Vectors that a cluster has at least for each of its children. */
  static final int POINTS = 4;

  /** Copies the list. */
  public Hierarchy {
    levels = List.copyOf(levels);
  }

  /**
   * Fits a tree; the order of the vectors matters, the number of threads does not.
   *
   * @param vectors at least one, of one length, finite; they are not copied
   * @param branching clusters of a cluster, 2 to {@value ClusterTree#MOST_CHILDREN}
   * @param levels 1 to {@value ClusterTree#MOST_LEVELS}
   * @param progress told each level when it is done
   * @throws BadInputException if there is no vector, or one is not finite
   */
  public static Hierarchy fit(
      float[][] vectors, int branching, int levels, long seed, Consumer<LevelSummary> progress) {
    ClusterTree.checkShape(branching, levels);
    check(vectors);
    List<LevelSummary> summaries = new ArrayList<>();
    Centroids[][] nodes = new Centroids[levels][];
    List<float[][]> groups = new ArrayList<>();
    groups.add(vectors);
    for (int level = 0; level < levels; level++) {
      List<float[][]> parents = groups;
      long key = Words.mixed(seed + level);
      KMeans[] fits = new KMeans[parents.size()];
      IntStream.range(0, fits.length)
          .parallel()
          .forEach(i -> fits[i] = fit(parents.get(i), branching, Words.mixed(key + i)));
      nodes[level] = Arrays.stream(fits).map(KMeans::centroids).toArray(Centroids[]::new);
      groups = new ArrayList<>();
      for (int i = 0; i < fits.length; i++) {
        groups.addAll(divided(parents.get(i), fits[i]));
      }
      LevelSummary summary =
          LevelSummary.of(
              Arrays.stream(fits).mapToDouble(KMeans::inertia).sum(),
              groups.stream().mapToInt(group -> group.length).toArray());
      summaries.add(summary);
      progress.accept(summary);
    }
    return new Hierarchy(new ClusterTree(branching, nodes), summaries);
  }

  private static KMeans fit(float[][] points, int branching, long seed) {
    return KMeans.fit(points, Math.max(1, Math.min(branching, points.length / POINTS)), seed);
  }

  private static List<float[][]> divided(float[][] points, KMeans fit) {
    int[] sizes = fit.sizes();
    float[][][] groups = new float[sizes.length][][];
    Arrays.setAll(groups, i -> new float[sizes[i]][]);
    int[] taken = new int[sizes.length];
    for (int i = 0; i < points.length; i++) {
      int cluster = fit.nearest()[i];
      groups[cluster][taken[cluster]++] = points[i];
    }
    return List.of(groups);
  }

  private static void check(float[][] vectors) {
    if (vectors.length == 0) {
      throw new BadInputException("clusters need at least 1 vector: found 0");
    }
    for (float[] vector : vectors) {
      if (vector.length != vectors[0].length || vector.length == 0) {
        throw new BadInputException(
            "vectors must all have "
                + Math.max(1, vectors[0].length)
                + " coordinates: found "
                + vector.length);
      }
      for (float value : vector) {
        if (!(Math.abs(value) <= 1e15)) {
          throw new BadInputException(
              "coordinates of vectors must be from -1e15 to 1e15: found " + value);
        }
      }
    }
  }
}
