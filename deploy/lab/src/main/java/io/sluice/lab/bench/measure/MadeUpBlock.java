package io.sluice.lab.bench.measure;

import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** A block whose tokens are drawn. */
public final class MadeUpBlock {
  private static final int VOCABULARY = 50_000;

  private MadeUpBlock() {}

  /** Tokens as frequent as words are: the rank-th with a share of 1 / rank. */
  public static byte[] tokens(int count, Random random) {
    ByteBuffer tokens = ByteBuffer.allocate(count * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      tokens.putShort((short) Math.pow(VOCABULARY, random.nextDouble()));
    }
    return tokens.array();
  }

  /** A block of one document. */
  public static TokenBlock of(
      long fingerprint, String domain, int lane, long ordinal, byte[] tokens) {
    int count = tokens.length / Short.BYTES;
    return TokenBlock.newBuilder()
        .setFingerprint(fingerprint)
        .setDomain(domain)
        .setLane(lane)
        .setOrdinal(ordinal)
        .setTokenWidth(Short.BYTES)
        .setTokens(ByteBuffer.wrap(tokens))
        .setDocumentLengths(List.of(count))
        .setDocumentIds(List.of("document"))
        .setTrainedTokens(count - 1)
        .setLossMask(null)
        .build();
  }
}
