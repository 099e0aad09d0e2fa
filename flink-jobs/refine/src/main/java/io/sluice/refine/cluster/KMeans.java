package io.sluice.refine.cluster;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Points divided by k-means: {@link Seeding}, then Lloyd's iterations until the inertia falls by
 * less than a ten-thousandth. Assignments run on the pool of whoever asks; every sum is over points
 * in their order, so that the outcome does not depend on the number of threads.
 *
 * @param nearest cluster of each point
 * @param distances squared, of each point to its cluster's centre
 */
record KMeans(Centroids centroids, int[] nearest, float[] distances) {
  private static final int MOST_ITERATIONS = 100;
  private static final double LEAST_GAIN = 1e-4;

  /** Points that one thread takes at a time. */
  private static final int CHUNK = 1024;

  /**
   * Divides points.
   *
   * @param points at least one, of one length, finite
   * @param clusters at least 1; fewer come out where fewer points differ
   */
  static KMeans fit(float[][] points, int clusters, long seed) {
    int most = Math.min(clusters, points.length);
    float[][] centres = Seeding.centres(points, most, new SplittableRandom(seed));
    KMeans fit = assigned(points, Centroids.of(centres));
    for (int i = 0; i < MOST_ITERATIONS; i++) {
      KMeans next = assigned(points, fit.moved(points));
      double inertia = next.inertia();
      boolean gained = inertia < fit.inertia() * (1 - LEAST_GAIN);
      boolean settled = inertia == 0 || (!gained && !next.hasEmpty());
      fit = next;
      if (settled) {
        break;
      }
    }
    return fit.withoutEmpty();
  }

  /** Sum of the points' squared distances to their clusters' centres. */
  double inertia() {
    double sum = 0;
    for (float distance : distances) {
      sum += distance;
    }
    return sum;
  }

  /** Number of points of each cluster. */
  int[] sizes() {
    int[] sizes = new int[centroids.size()];
    for (int cluster : nearest) {
      sizes[cluster]++;
    }
    return sizes;
  }

  private static KMeans assigned(float[][] points, Centroids centroids) {
    int[] nearest = new int[points.length];
    float[] distances = new float[points.length];
    IntStream.range(0, (points.length + CHUNK - 1) / CHUNK)
        .parallel()
        .forEach(
            chunk -> {
              float[] all = new float[centroids.size()];
              int to = Math.min(points.length, (chunk + 1) * CHUNK);
              for (int i = chunk * CHUNK; i < to; i++) {
                nearest[i] = centroids.nearest(points[i], all);
                distances[i] = all[nearest[i]];
              }
            });
    return new KMeans(centroids, nearest, distances);
  }

  /**
   * The means of the clusters; an empty one gets the farthest point that no other empty one got.
   */
  private Centroids moved(float[][] points) {
    int[] sizes = sizes();
    double[][] sums = new double[sizes.length][centroids.dimension()];
    for (int i = 0; i < points.length; i++) {
      double[] sum = sums[nearest[i]];
      float[] point = points[i];
      for (int d = 0; d < sum.length; d++) {
        sum[d] += point[d];
      }
    }
    float[] left = distances.clone();
    float[][] centres = new float[sizes.length][];
    for (int i = 0; i < centres.length; i++) {
      if (sizes[i] > 0) {
        centres[i] = mean(sums[i], sizes[i]);
      } else {
        int farthest = farthest(left);
        left[farthest] = 0;
        centres[i] = points[farthest];
      }
    }
    return Centroids.of(centres);
  }

  private static float[] mean(double[] sum, int count) {
    float[] mean = new float[sum.length];
    for (int d = 0; d < mean.length; d++) {
      mean[d] = (float) (sum[d] / count);
    }
    return mean;
  }

  private static int farthest(float[] distances) {
    int farthest = 0;
    for (int i = 1; i < distances.length; i++) {
      farthest = distances[i] > distances[farthest] ? i : farthest;
    }
    return farthest;
  }

  private boolean hasEmpty() {
    return Arrays.stream(sizes()).anyMatch(size -> size == 0);
  }

  private KMeans withoutEmpty() {
    int[] sizes = sizes();
    int[] kept = IntStream.range(0, sizes.length).filter(i -> sizes[i] > 0).toArray();
    if (kept.length == sizes.length) {
      return this;
    }
    int[] places = new int[sizes.length];
    float[][] centres = new float[kept.length][];
    for (int i = 0; i < kept.length; i++) {
      places[kept[i]] = i;
      centres[i] = centroids.centre(kept[i]);
    }
    int[] renamed = Arrays.stream(nearest).map(cluster -> places[cluster]).toArray();
    return new KMeans(Centroids.of(centres), renamed, distances);
  }
}
