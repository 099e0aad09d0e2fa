package io.sluice.client.block;

import io.sluice.schema.ChainHash;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What an encoded TokenBlock holds, read where it lies.
 *
 * @param domainHash {@link ChainHash#domain} of the dataset's domain
 * @param packed the tokens, width bytes each, little-endian; a view of the encoding
 * @param documentLengths tokens of each document part
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
    int @Nullable [] maskRuns,
    long producedAtMillis) {
  public long nextChain(long chain, long index) {
    return ChainHash.next(chain, index, domainHash, lane, ordinal);
  }
}
