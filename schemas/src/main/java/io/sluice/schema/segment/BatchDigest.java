package io.sluice.schema.segment;

import io.sluice.schema.ChainHash;

/**
 * Digest of what is in a batch, by the hashes of its rows: the sum of {@code mix(mix(index) +
 * hash)} over all its sequences, modulo 2^64. So the parts of ranks add up to it, however many they
 * are and in whatever order.
 */
public final class BatchDigest {
  private BatchDigest() {}

  /**
   * The part of neighbouring sequences.
   *
   * @param index global index of the first of them
   * @param hashes of their rows, in their order
   */
  public static long of(long index, long[] hashes) {
    long sum = 0;
    for (int i = 0; i < hashes.length; i++) {
      sum += ChainHash.mix(ChainHash.mix(index + i) + hashes[i]);
    }
    return sum;
  }
}
