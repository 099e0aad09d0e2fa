package io.sluice.mixture.cluster;

import java.util.Collection;
import java.util.List;

/** The centres of domains in an embedding space. Immutable. */
public final class Centroids {
  private final double[][] centres;

  private Centroids(double[][] centres) {
    this.centres = centres;
  }

  /** Centroids from their coordinates, one row for each domain, all of one length. */
  public static Centroids of(double[]... centres) {
    if (centres.length == 0) {
      throw new IllegalArgumentException("centroids must be at least 1: 0");
    }
    double[][] copies = new double[centres.length][];
    for (int i = 0; i < centres.length; i++) {
      if (centres[i].length != centres[0].length) {
        throw new IllegalArgumentException(
            "centroid "
                + i
                + " must have "
                + centres[0].length
                + " coordinates: "
                + centres[i].length);
      }
      copies[i] = centres[i].clone();
    }
    return new Centroids(copies);
  }

  /** The mean embedding of each domain, which must have one at least. */
  public static Centroids ofMeans(List<? extends Collection<double[]>> domains) {
    double[][] means = new double[domains.size()][];
    for (int i = 0; i < means.length; i++) {
      Collection<double[]> points = domains.get(i);
      if (points.isEmpty()) {
        throw new IllegalArgumentException("domain " + i + " must have an embedding: none");
      }
      double[] sum = new double[points.iterator().next().length];
      for (double[] point : points) {
        for (int d = 0; d < sum.length; d++) {
          sum[d] += point[d];
        }
      }
      for (int d = 0; d < sum.length; d++) {
        sum[d] /= points.size();
      }
      means[i] = sum;
    }
    return of(means);
  }

  /** Number of domains. */
  public int size() {
    return centres.length;
  }

  /** Coordinates of a domain's centre; a copy. */
  public double[] centre(int domain) {
    return centres[domain].clone();
  }

  /** The domain whose centre is nearest by Euclidean distance (ties: lower index). */
  public int nearest(double[] point) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < centres.length; i++) {
      double distance = squaredDistance(point, centres[i]);
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }

  /** How many of the points fall to each domain. */
  public long[] histogram(Iterable<double[]> points) {
    long[] counts = new long[centres.length];
    for (double[] point : points) {
      counts[nearest(point)]++;
    }
    return counts;
  }

  private static double squaredDistance(double[] a, double[] b) {
    double sum = 0;
    for (int d = 0; d < b.length; d++) {
      double difference = a[d] - b[d];
      sum += difference * difference;
    }
    return sum;
  }
}
