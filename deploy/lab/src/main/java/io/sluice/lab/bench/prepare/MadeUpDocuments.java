package io.sluice.lab.bench.prepare;

import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.Document;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Made-up documents, as text or as the ids that a tokenizer gives it. */
final class MadeUpDocuments {
  private static final int PATTERNS = 256;
  private static final int CHARACTERS = 4_000;

  private final List<String> texts = new ArrayList<>();
  private final List<byte[]> ids = new ArrayList<>();
  private final String identity;
  private final int tokenWidth;
  private final boolean preTokenized;

  /**
   * @param preTokenized whether they are ids
   */
  MadeUpDocuments(String tokenizerName, boolean preTokenized) {
    this.preTokenized = preTokenized;
    MadeUpText text = new MadeUpText(7);
    try (Tokenizer tokenizer = Tokenizers.forName(tokenizerName)) {
      identity = tokenizer.identity();
      tokenWidth = tokenizer.vocabulary().tokenWidth();
      for (int i = 0; i < PATTERNS; i++) {
        texts.add(text.next(CHARACTERS));
        ids.add(tokenizer.encode(texts.get(i)));
      }
    }
  }

  /** Texts of documents that differ; longer corpora repeat them. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  /** Mean bytes of a document's text. */
  double meanBytes() {
    return texts.stream()
        .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
        .average()
        .orElseThrow();
  }

  /** Mean bytes of a document's ids. */
  double meanIdBytes() {
    return ids.stream().mapToInt(each -> each.length).average().orElseThrow();
  }

  /** A record of a corpus topic. */
  byte[] message(int number) {
    int pattern = number % PATTERNS;
    String id = "document-" + number;
    return WireCodec.encode(
        preTokenized
            ? TokenDocument.newBuilder()
                .setId(id)
                .setTokenizer(identity)
                .setTokenWidth(tokenWidth)
                .setTokens(ByteBuffer.wrap(ids.get(pattern)))
                .setOrigin("made up")
                .build()
            : Document.newBuilder()
                .setId(id)
                .setText(texts.get(pattern))
                .setOrigin("made up")
                .setProperties(Map.of())
                .build());
  }
}
