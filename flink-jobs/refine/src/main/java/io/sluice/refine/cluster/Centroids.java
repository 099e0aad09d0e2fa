package io.sluice.refine.cluster;

/**
 * The centres of a few clusters of one dimension. Immutable.
 *
 * <p>Distances are sums of single-precision squares in the order of the coordinates, so they are
 * the same on every machine. Coordinates of all centres lie beside each other: the loop over
 * centres is one that the compiler turns into vector instructions, which a loop over coordinates is
 * not.
 */
final class Centroids {
  private final int size;
  private final int dimension;

  /** Coordinate 0 of all centres, then coordinate 1, and so on. */
  private final float[] columns;

  private Centroids(int size, int dimension, float[] columns) {
    this.size = size;
    this.dimension = dimension;
    this.columns = columns;
  }

  /** Centres from their coordinates, at least one row, all of one length. */
  static Centroids of(float[]... rows) {
    int dimension = rows[0].length;
    float[] columns = new float[Math.multiplyExact(rows.length, dimension)];
    for (int i = 0; i < rows.length; i++) {
      for (int d = 0; d < dimension; d++) {
        columns[d * rows.length + i] = rows[i][d];
      }
    }
    return new Centroids(rows.length, dimension, columns);
  }

  int size() {
    return size;
  }

  int dimension() {
    return dimension;
  }

  /** Coordinates of a centre; a copy. */
  float[] centre(int cluster) {
    float[] centre = new float[dimension];
    for (int d = 0; d < dimension; d++) {
      centre[d] = columns[d * size + cluster];
    }
    return centre;
  }

  /**
   * The cluster whose centre is nearest; of several the first.
   *
   * @param distances gets the squared distances to all, and may be longer
   * @throws IllegalArgumentException if the point has another length, or a distance that is not
   *     finite
   */
  int nearest(float[] point, float[] distances) {
    if (point.length != dimension) {
      throw new IllegalArgumentException(
          "a vector must have " + dimension + " coordinates: found " + point.length);
    }
    measure(point, distances);
    int best = -1;
    float least = Float.POSITIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      if (distances[i] < least) {
        least = distances[i];
        best = i;
      }
    }
    if (best < 0) {
      throw new IllegalArgumentException(
          "a vector must have finite coordinates, no farther than 1e18 from a centre");
    }
    return best;
  }

  private void measure(float[] point, float[] distances) {
    for (int i = 0; i < size; i++) {
      distances[i] = 0;
    }
    int d = 0;
    for (; d + 3 < dimension; d += 4) {
      addFour(point, d, columns, size, distances);
    }
    for (; d < dimension; d++) {
      add(point[d], columns, d * size, size, distances);
    }
  }

  /** Four coordinates at once: distances are loaded and stored a quarter as often. */
  private static void addFour(float[] point, int d, float[] from, int count, float[] distances) {
    float a = point[d];
    float b = point[d + 1];
    float c = point[d + 2];
    float e = point[d + 3];
    int first = d * count;
    int second = first + count;
    int third = second + count;
    int fourth = third + count;
    for (int i = 0; i < count; i++) {
      float x = a - from[first + i];
      float y = b - from[second + i];
      float z = c - from[third + i];
      float w = e - from[fourth + i];
      distances[i] += (x * x + y * y) + (z * z + w * w);
    }
  }

  private static void add(float at, float[] from, int offset, int count, float[] distances) {
    for (int i = 0; i < count; i++) {
      float difference = at - from[offset + i];
      distances[i] += difference * difference;
    }
  }

  /** The squared distance of two points of one length. */
  static double squaredDistance(float[] a, float[] b) {
    float even = 0;
    float odd = 0;
    int d = 0;
    for (; d + 1 < a.length; d += 2) {
      float first = a[d] - b[d];
      float second = a[d + 1] - b[d + 1];
      even += first * first;
      odd += second * second;
    }
    if (d < a.length) {
      float last = a[d] - b[d];
      even += last * last;
    }
    return (double) even + odd;
  }
}
