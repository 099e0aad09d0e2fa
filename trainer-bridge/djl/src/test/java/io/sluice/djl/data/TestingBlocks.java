package io.sluice.djl.data;

import io.sluice.djl.model.ModelSize;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Blocks made by hand. */
public final class TestingBlocks {
  private TestingBlocks() {}

  /** A block of one document whose labels are all trained. */
  public static TokenBlock block(String domain, int... tokens) {
    return packed(domain, List.of(tokens.length), null, tokens);
  }

  /** A block of documents with these lengths, and run lengths of trained and untrained labels. */
  public static TokenBlock packed(
      String domain, List<Integer> documents, @Nullable List<Integer> lossMask, int... tokens) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * tokens.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int token : tokens) {
      bytes.putShort((short) token);
    }
    int trained = tokens.length - 1;
    if (lossMask != null) {
      trained = 0;
      for (int i = 0; i < lossMask.size(); i += 2) {
        trained += lossMask.get(i);
      }
    }
    return TokenBlock.newBuilder()
        .setFingerprint(1)
        .setDomain(domain)
        .setOrdinal(7)
        .setTokenWidth(2)
        .setTokens(bytes.flip())
        .setDocumentLengths(documents)
        .setDocumentIds(Collections.nCopies(documents.size(), "d"))
        .setTrainedTokens(trained)
        .setLossMask(lossMask)
        .build();
  }

  /** A block of L + 1 random tokens. */
  public static TokenBlock random(String domain, Random random, ModelSize size) {
    int length = size.sequenceLength() + 1;
    return block(domain, random.ints(length, 0, size.vocabulary()).toArray());
  }

  /** Blocks that repeat the tokens 1 2 3 4, each from another place in the cycle. */
  public static List<TokenBlock> repetitive(int count, ModelSize size) {
    List<TokenBlock> blocks = new ArrayList<>();
    for (int b = 0; b < count; b++) {
      int[] tokens = new int[size.sequenceLength() + 1];
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = 1 + (b + i) % 4;
      }
      blocks.add(block(b % 2 == 0 ? "even" : "odd", tokens));
    }
    return blocks;
  }
}
