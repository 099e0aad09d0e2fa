package io.sluice.schema.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a segment says of a row beside its tokens.
 *
 * @param hash its {@link RowHash}
 * @param producedAtMillis when the block was packed; 0 when unknown
 * @param trainedTokens labels that count
 * @param lengths tokens of each document part
 * @param documents of each part the first 8 bytes of the hash of its id, as a little-endian number;
 *     0 for padding
 * @param runs run lengths over the labels, trained first; null if all are trained
 */
@SuppressWarnings("ArrayRecordComponent") // Made for one row, and compared by its own equals.
public record SideRow(
    long hash,
    long producedAtMillis,
    int trainedTokens,
    int[] lengths,
    long[] documents,
    int @Nullable [] runs) {
  public SideRow {
    if (lengths.length != documents.length) {
      throw new IllegalArgumentException(
          "each part must have a document: found "
              + lengths.length
              + " parts and "
              + documents.length
              + " documents");
    }
  }

  /**
   * What is said of a row all of whose labels count, and which nobody has packed.
   *
   * @param labels of the row
   */
  public static SideRow whole(long hash, int labels, int[] lengths, long[] documents) {
    return new SideRow(hash, 0, labels, lengths, documents, null);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SideRow row
        && hash == row.hash
        && producedAtMillis == row.producedAtMillis
        && trainedTokens == row.trainedTokens
        && Arrays.equals(lengths, row.lengths)
        && Arrays.equals(documents, row.documents)
        && Arrays.equals(runs, row.runs);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }
}
