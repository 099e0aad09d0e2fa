package io.sluice.refine.classify;

import java.util.Arrays;

/** How often each bucket came: a hash table with open addressing, in the order of first coming. */
final class BucketCounts {
  private final int[] slots;
  private final int[] buckets;
  private final int[] counts;
  private int size;

  /** For so many comings, at most. */
  BucketCounts(int most) {
    this.slots = new int[Integer.highestOneBit(Math.max(4, most)) << 2];
    this.buckets = new int[most];
    this.counts = new int[most];
  }

  void add(int bucket) {
    // Buckets are hashes already.
    int slot = bucket & (slots.length - 1);
    while (slots[slot] != 0 && buckets[slots[slot] - 1] != bucket) {
      slot = (slot + 1) & (slots.length - 1);
    }
    if (slots[slot] == 0) {
      buckets[size] = bucket;
      slots[slot] = ++size;
    }
    counts[slots[slot] - 1]++;
  }

  /** 1 + ln(count) of each bucket, all divided by the root of the sum of their squares. */
  FeatureVector normalised() {
    float[] values = new float[size];
    double squares = 0;
    for (int i = 0; i < size; i++) {
      // StrictMath, because a model is to have the same bytes wherever it is trained.
      double value = 1 + StrictMath.log(counts[i]);
      values[i] = (float) value;
      squares += value * value;
    }
    float length = (float) Math.sqrt(squares);
    for (int i = 0; i < size; i++) {
      values[i] /= length;
    }
    return new FeatureVector(Arrays.copyOf(buckets, size), values);
  }
}
