package io.sluice.schema.segment;

import io.sluice.schema.ChainHash;
import io.sluice.schema.Limits;
import io.sluice.schema.ReadBatches;

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
      sum += of(index + i, hashes[i]);
    }
    return sum;
  }

  /** The part of one sequence, by its global index and the hash of its row. */
  public static long of(long index, long hash) {
    return ChainHash.mix(ChainHash.mix(index) + hash);
  }

  /**
   * Checks that a rank can have read what a report says.
   *
   * @param batch last one that it trained on
   * @throws IllegalArgumentException naming the field, the range and the value
   */
  public static void requirePossible(ReadBatches read, long batch) {
    int size = read.getDigests().size();
    if (size < 1 || size > Limits.DIGESTS) {
      throw new IllegalArgumentException(
          "read.digests must be of 1 to " + Limits.DIGESTS + " batches: " + size);
    }
    long most = Math.max(batch, 0) - size + 1;
    if (read.getFirst() < 1 || read.getFirst() > most) {
      throw new IllegalArgumentException(
          "read.first must be in [1, " + most + "]: " + read.getFirst());
    }
  }
}
