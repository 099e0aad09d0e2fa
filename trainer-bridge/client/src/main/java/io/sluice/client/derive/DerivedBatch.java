package io.sluice.client.derive;

import java.util.List;

/**
 * The sequences that one rank reads of a batch, in their order. The arrays have one entry for each.
 *
 * @param timeline that owns the batch
 * @param firstIndex global index of the batch's first sequence
 * @param size sequences of all ranks
 * @param firstRow position in the batch of the rank's first sequence
 * @param domains names, by the numbers in {@code domain}
 * @param lane that has the block
 * @param ordinal of the run in the lane's part of the domain, epochs counted through
 * @param block that it stands for: the block's own ordinal
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record DerivedBatch(
    int timeline,
    long batch,
    long firstIndex,
    int size,
    int weightsVersion,
    int firstRow,
    List<String> domains,
    int[] domain,
    int[] lane,
    long[] ordinal,
    long[] block) {
  /** Sequences of the rank. */
  public int rows() {
    return domain.length;
  }

  /** Global index of one of the rank's sequences. */
  public long index(int row) {
    return firstIndex + firstRow + row;
  }

  /** Name of the domain of one of the rank's sequences. */
  public String domainOf(int row) {
    return domains.get(domain[row]);
  }
}
