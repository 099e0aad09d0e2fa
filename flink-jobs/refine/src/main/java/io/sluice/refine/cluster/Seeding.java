package io.sluice.refine.cluster;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The first centres of k-means: greedy k-means++ (Arthur and Vassilvitskii 2007, section 5), which
 * draws each next centre with odds of its squared distance to those that are there, a few times,
 * and keeps the draw that leaves the least sum of squared distances.
 */
final class Seeding {
  /** Points for each centre that are looked at: more make no difference that can be told. */
  private static final int POINTS = 256;

  private Seeding() {}

  /** Up to {@code clusters} of the points, fewer where fewer differ. */
  static float[][] centres(float[][] points, int clusters, SplittableRandom random) {
    float[][] among = some(points, (long) POINTS * clusters, random);
    float[][] centres = new float[clusters][];
    centres[0] = among[random.nextInt(among.length)];
    double[] distances = distances(among, centres[0], null);
    int trials = 2 + (int) Math.log(clusters);
    for (int i = 1; i < clusters; i++) {
      double total = sum(distances);
      if (!(total > 0)) {
        return Arrays.copyOf(centres, i);
      }
      double[] best = distances;
      double least = Double.POSITIVE_INFINITY;
      for (int trial = 0; trial < trials; trial++) {
        float[] drawn = among[draw(distances, random.nextDouble() * total)];
        double[] left = distances(among, drawn, distances);
        double sum = sum(left);
        if (sum < least) {
          least = sum;
          best = left;
          centres[i] = drawn;
        }
      }
      distances = best;
    }
    return centres;
  }

  /** Squared distances to a centre, or to those before it where they are less. */
  private static double[] distances(float[][] points, float[] centre, double @Nullable [] before) {
    double[] distances = new double[points.length];
    for (int i = 0; i < points.length; i++) {
      double distance = Centroids.squaredDistance(points[i], centre);
      distances[i] = before == null ? distance : Math.min(before[i], distance);
    }
    return distances;
  }

  private static int draw(double[] odds, double at) {
    double sum = 0;
    int last = 0;
    for (int i = 0; i < odds.length; i++) {
      if (odds[i] > 0) {
        sum += odds[i];
        last = i;
        if (sum > at) {
          return i;
        }
      }
    }
    return last;
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  private static float[][] some(float[][] points, long most, SplittableRandom random) {
    if (points.length <= most) {
      return points;
    }
    float[][] shuffled = points.clone();
    for (int i = 0; i < most; i++) {
      int other = i + random.nextInt(shuffled.length - i);
      float[] swapped = shuffled[i];
      shuffled[i] = shuffled[other];
      shuffled[other] = swapped;
    }
    return Arrays.copyOf(shuffled, (int) most);
  }
}
