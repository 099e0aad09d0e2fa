package io.sluice.jobs.prepare;

import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Small datasets of the byte tokenizer, and documents for them. */
final class TestingDatasets {
  private TestingDatasets() {}

  static DatasetSpec dataset(int sequenceLength, int shuffleBuffer, double heldOut) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            "demo",
            "bytes",
            sequenceLength,
            shuffleBuffer,
            7,
            heldOut,
            List.of("java", "prose"),
            1));
  }

  /** The same in lanes, whose shuffle buffers let their documents go after 10 s. */
  static DatasetSpec releasing(int sequenceLength, int shuffleBuffer, double heldOut, int lanes) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            "demo",
            "bytes",
            sequenceLength,
            shuffleBuffer,
            7,
            heldOut,
            List.of("java", "prose"),
            lanes,
            Duration.ofSeconds(10)));
  }

  /** Documents of 0 to 40 characters, seeded. */
  static List<TokenizedDocument> documents(String domain, int count, double heldOut) {
    SplittableRandom random = new SplittableRandom(domain.hashCode());
    HeldOutRule split = new HeldOutRule(heldOut);
    List<TokenizedDocument> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(41); text.length() < length; ) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      documents.add(document(domain, domain + "-" + i, text.toString(), split));
    }
    return documents;
  }

  static TokenizedDocument document(String domain, String id, String text, HeldOutRule split) {
    return new TokenizedDocument(domain, split.isHeldOut(text), id, encode(text));
  }

  static byte[] encode(String text) {
    return Tokenizers.forName("bytes").encode(text);
  }

  /** Ids of the block's tokens. */
  static int[] tokens(TokenBlock block) {
    int[] tokens = new int[block.getTokens().remaining() / block.getTokenWidth()];
    for (int i = 0; i < tokens.length; i++) {
      for (int b = 0; b < block.getTokenWidth(); b++) {
        int at = i * block.getTokenWidth() + b;
        tokens[i] |= (block.getTokens().get(at) & 0xFF) << (8 * b);
      }
    }
    return tokens;
  }

  static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
