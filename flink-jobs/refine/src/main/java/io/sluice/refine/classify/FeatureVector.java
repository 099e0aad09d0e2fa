package io.sluice.refine.classify;

/** What a text has of each bucket that it has anything of; of length 1, or empty. */
final class FeatureVector {
  private final int[] buckets;
  private final float[] values;

  /** Keeps the arrays, which have the same length; no bucket comes twice. */
  FeatureVector(int[] buckets, float[] values) {
    this.buckets = buckets;
    this.values = values;
  }

  int size() {
    return buckets.length;
  }

  int bucket(int i) {
    return buckets[i];
  }

  float value(int i) {
    return values[i];
  }
}
