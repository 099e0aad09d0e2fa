package io.sluice.refine.perplexity;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a model knows of n-grams of one length: ascending hashes, each with the probability of its
 * last word after the others, and with what is left for words that were not seen after it. An index
 * by the hashes' first bits leaves one or two to compare.
 */
final class GramTable {
  private final long[] keys;
  private final float[] probabilities;
  private final float[] backOffs;
  private final int shift;
  private final int[] index;

  /**
   * A table.
   *
   * @param keys ascending
   */
  GramTable(long[] keys, float[] probabilities, float[] backOffs) {
    this.keys = keys;
    this.probabilities = probabilities;
    this.backOffs = backOffs;
    int bits = Math.max(1, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(keys.length));
    this.shift = Long.SIZE - bits;
    this.index = new int[(1 << bits) + 1];
    for (long key : keys) {
      index[bucket(key) + 1]++;
    }
    Arrays.parallelPrefix(index, Integer::sum);
  }

  /** Bytes of a table that {@link #bytes} wrote. */
  static long bytes(int size) {
    return (Long.BYTES + 2L * Float.BYTES) * size;
  }

  /** Hashes, probabilities and what is left, one after the other, big-endian. */
  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate((int) bytes(keys.length));
    for (long key : keys) {
      bytes.putLong(key);
    }
    for (float probability : probabilities) {
      bytes.putFloat(probability);
    }
    for (float backOff : backOffs) {
      bytes.putFloat(backOff);
    }
    return bytes.array();
  }

  /**
   * The table of such bytes.
   *
   * @throws IllegalArgumentException if they are none
   */
  static GramTable of(byte[] bytes, int size) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long[] keys = new long[size];
    in.asLongBuffer().get(keys);
    for (int i = 1; i < size; i++) {
      require(keys[i - 1] < keys[i], "its hashes must ascend");
    }
    in.position(Long.BYTES * size);
    return new GramTable(keys, shares(in, size), shares(in, size));
  }

  private static float[] shares(ByteBuffer in, int size) {
    float[] shares = new float[size];
    for (int i = 0; i < size; i++) {
      shares[i] = in.getFloat();
      require(shares[i] > 0 && shares[i] <= 1, "its probabilities must be above 0 and at most 1");
    }
    return shares;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }

  int size() {
    return keys.length;
  }

  /** The place of an n-gram, negative if it was not seen. */
  int find(long key) {
    int bucket = bucket(key);
    return Arrays.binarySearch(keys, index[bucket], index[bucket + 1], key);
  }

  float probability(int place) {
    return probabilities[place];
  }

  float backOff(int place) {
    return backOffs[place];
  }

  /** Negative hashes come first. */
  private int bucket(long key) {
    return (int) ((key ^ Long.MIN_VALUE) >>> shift);
  }
}
