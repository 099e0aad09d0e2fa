package io.sluice.jobs.prepare.tokenizer;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import io.sluice.jobs.prepare.tokenizer.cut.TextSegments;

/** A published byte-pair encoding, computed by jtokkit. It has no padding token of its own. */
final class BytePairTokenizer implements Tokenizer {
  /** The encodings on offer. */
  enum Kind {
    R50K("r50k_base", EncodingType.R50K_BASE, 50_257, 50_256),
    CL100K("cl100k_base", EncodingType.CL100K_BASE, 100_277, 100_257),
    O200K("o200k_base", EncodingType.O200K_BASE, 200_019, 199_999);

    final String published;
    private final EncodingType type;
    private final int size;
    private final int endOfDocument;

    Kind(String published, EncodingType type, int size, int endOfDocument) {
      this.published = published;
      this.type = type;
      this.size = size;
      this.endOfDocument = endOfDocument;
    }
  }

  /** Name of the end of a document. */
  static final String END = "<|endoftext|>";

  /** Loads each encoding once: they are large and safe to share. */
  private static final EncodingRegistry REGISTRY = Encodings.newLazyEncodingRegistry();

  /** Long enough for words to be found, short enough for a text that is a single word. */
  private static final int SEGMENT = 1 << 16;

  private final Kind kind;
  private final Encoding encoding;
  private final Vocabulary vocabulary;

  BytePairTokenizer(Kind kind) {
    this.kind = kind;
    this.encoding = REGISTRY.getEncoding(kind.type);
    this.vocabulary = new Vocabulary(kind.size, kind.endOfDocument, kind.endOfDocument);
  }

  @Override
  public Vocabulary vocabulary() {
    return vocabulary;
  }

  @Override
  public String identity() {
    return kind.published;
  }

  @Override
  public byte[] encode(String text) {
    TextParts parts = new TextParts();
    for (int from = 0; from < text.length(); ) {
      int end = TextSegments.end(text, from, SEGMENT);
      parts.add(from, end);
      from = end;
    }
    return parts.encode((from, to) -> tokens(text.substring(from, to)));
  }

  private byte[] tokens(String part) {
    TokenWriter tokens = new TokenWriter(vocabulary.tokenWidth(), part.length() / 3);
    // encodeOrdinary, because encode refuses the names of control tokens.
    IntArrayList ids = encoding.encodeOrdinary(part);
    for (int i = 0; i < ids.size(); i++) {
      tokens.add(ids.get(i));
    }
    return tokens.toBytes();
  }

  @Override
  public String decode(int[] tokens) {
    IntArrayList ordinary = new IntArrayList(tokens.length);
    for (int token : tokens) {
      if (token < vocabulary.endOfDocument()) {
        ordinary.add(token);
      }
    }
    return encoding.decode(ordinary);
  }
}
