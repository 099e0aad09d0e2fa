package io.sluice.refine.cluster;

/** Vectors that other languages can make, too. */
final class Points {
  private long state;

  private Points(long seed) {
    state = seed;
  }

  /**
   * Blobs with centres in the unit cube and triangular noise: first the centres, then of each
   * vector its blob and its coordinates, by the generator of the golden vectors.
   */
  static float[][] blobs(int vectors, int dimension, int blobs, double spread, long seed) {
    Points random = new Points(seed);
    float[][] centres = new float[blobs][dimension];
    for (float[] centre : centres) {
      for (int d = 0; d < dimension; d++) {
        centre[d] = (float) random.next();
      }
    }
    float[][] points = new float[vectors][dimension];
    for (float[] point : points) {
      float[] centre = centres[(int) (random.next() * blobs)];
      for (int d = 0; d < dimension; d++) {
        point[d] = centre[d] + (float) (spread * (random.next() + random.next() - 1));
      }
    }
    return points;
  }

  private double next() {
    state = state * 6364136223846793005L + 1442695040888963407L;
    return (state >>> 11) * 0x1p-53;
  }
}
