package io.sluice.client.block;

import io.sluice.schema.ChainHash;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a block holds that is trained on, read where it lies.
 *
 * @param domainHash {@link ChainHash#domain} of the dataset's domain
 * @param packed the tokens, width bytes each, little-endian; a view
 * @param documentLengths tokens of each document part
 * @param documents which those are
 * @param maskRuns run lengths over the labels, trained first; null when every label is trained
 * @param producedAtMillis when the block was packed, since the epoch; 0 when unknown
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared; read once for each sequence.
public record EncodedBlock(
    String domain,
    long domainHash,
    int lane,
    long ordinal,
    int tokenWidth,
    ByteBuffer packed,
    int[] documentLengths,
    PartDocuments documents,
    int @Nullable [] maskRuns,
    long producedAtMillis) {
  /** The block with other labels trained. */
  EncodedBlock withMask(int[] runs) {
    return new EncodedBlock(
        domain,
        domainHash,
        lane,
        ordinal,
        tokenWidth,
        packed,
        documentLengths,
        documents,
        runs,
        producedAtMillis);
  }

  public long nextChain(long chain, long index) {
    return ChainHash.next(chain, index, domainHash, lane, ordinal);
  }
}
