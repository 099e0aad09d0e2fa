package io.sluice.client.block;

import io.sluice.client.error.UnusableBlockException;
import io.sluice.schema.ChainHash;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an encoded TokenBlock holds, read where it lies.
 *
 * @param domainHash {@link ChainHash#domain} of the dataset's domain
 * @param packed the tokens, width bytes each, little-endian; a view of the encoding
 * @param documentLengths tokens of each document part
 * @param documentIds where their ids lie; a view of the encoding
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
    ByteBuffer documentIds,
    int @Nullable [] maskRuns,
    long producedAtMillis) {
  /** The id of each document part of a whole block as UTF-8, none of padding. */
  List<byte[]> ids() {
    try {
      return new BlockCursor(documentIds).texts();
    } catch (UnusableBlockException e) {
      throw new IllegalStateException(e); // they were walked when the block was inspected
    }
  }

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
        documentIds,
        runs,
        producedAtMillis);
  }

  public long nextChain(long chain, long index) {
    return ChainHash.next(chain, index, domainHash, lane, ordinal);
  }
}
