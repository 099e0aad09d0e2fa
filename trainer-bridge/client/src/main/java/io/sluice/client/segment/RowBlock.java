package io.sluice.client.segment;

import io.sluice.client.block.EncodedBlock;
import io.sluice.client.block.PartDocuments;
import io.sluice.client.block.WholeBlock;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.SideRow;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A block as a row has it: of its documents the hashes of their ids, and no payload.
 *
 * @param content what of it is trained on
 * @param fingerprint of the dataset
 */
record RowBlock(EncodedBlock content, SideRow side, long fingerprint) implements WholeBlock {
  /** Which documents the parts of a row are of. */
  record Documents(SideRow side) implements PartDocuments {
    @Override
    public List<byte[]> ids() {
      return hashes(side).stream().map(id -> id.getBytes(StandardCharsets.UTF_8)).toList();
    }

    @Override
    public boolean areHashes() {
      return true;
    }
  }

  private static List<String> hashes(SideRow side) {
    return LongStream.of(side.documents()).mapToObj(IdHash::of).toList();
  }

  /** Whether a row stands in the place of a block that cannot be used: it is all padding. */
  static boolean isUnusable(SideRow side) {
    return side.trainedTokens() == 0 && side.documents().length == 1 && side.documents()[0] == 0;
  }

  @Override
  public boolean isUnusable() {
    return isUnusable(side);
  }

  @Override
  public byte[] encoded() {
    return WireCodec.encode(decoded());
  }

  @Override
  public int size() {
    return content.packed().remaining();
  }

  @Override
  public TokenBlock decoded() {
    ByteBuffer tokens = content.packed();
    int[] runs = side.runs();
    return TokenBlock.newBuilder()
        .setFingerprint(fingerprint)
        .setDomain(content.domain())
        .setLane(content.lane())
        .setOrdinal(content.ordinal())
        .setTokenWidth(content.tokenWidth())
        .setTokens(ByteBuffer.allocate(tokens.remaining()).put(tokens.duplicate()).flip())
        .setDocumentLengths(Arrays.stream(side.lengths()).boxed().toList())
        .setDocumentIds(hashes(side))
        .setTrainedTokens(side.trainedTokens())
        .setLossMask(runs == null ? null : Arrays.stream(runs).boxed().toList())
        .setProducedAtMillis(side.producedAtMillis())
        .build();
  }
}
