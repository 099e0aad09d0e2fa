package io.sluice.jobs.prepare.read;

import io.sluice.control.domain.TextSpans;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.PurgedReading;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** As many tokens as a document had that was purged, all of them padding. */
final class PurgedTokens {
  /**
   * Most tokens of a document that is purged: a record of a corpus has at most so many bytes, and a
   * token hardly less than one.
   */
  static final int MOST = 1 << 26;

  /** Between the bounds of spans, and before the first. */
  private static final int MOST_RUNS = 2 * TextSpans.MOST + 1;

  private final long fingerprint;
  private final int width;
  private final byte[] padding;

  PurgedTokens(DatasetSpec spec) {
    fingerprint = spec.getFingerprint();
    width = spec.getTokenWidth();
    padding = TokenBytes.of(spec.getPadding(), width);
  }

  /** What the dataset had made of a document; empty if nothing. */
  Optional<PurgedReading> made(PurgedDocument document) {
    return document.getReadings().stream()
        .filter(each -> each.getFingerprint() == fingerprint)
        .findFirst();
  }

  /** A reading of the dataset's, of a document that could be used. */
  PurgedReading reading(TokenizedDocument document) {
    List<Integer> counted = Arrays.stream(document.counted()).boxed().toList();
    int tokens = document.tokens().length / width;
    return new PurgedReading(fingerprint, false, tokens, counted, document.deciding());
  }

  /** A reading of the dataset's, of a document that went to the dead letters. */
  PurgedReading refused() {
    return new PurgedReading(fingerprint, true, 0, List.of(), 0L);
  }

  /**
   * Checks what is said of a document that could be used.
   *
   * @throws IllegalArgumentException naming what no document has
   */
  static void require(PurgedReading made) {
    int tokens = made.getTokens();
    List<Integer> counted = made.getCounted();
    if (tokens < 0 || tokens > MOST) {
      throw new IllegalArgumentException(
          "tokens of a purged document must be in [0, " + MOST + "]: found " + tokens);
    }
    long sum = 0;
    boolean negative = false;
    for (int run : counted) {
      sum += run;
      negative |= run < 0;
    }
    if (counted.size() > MOST_RUNS || negative || sum > tokens) {
      throw new IllegalArgumentException(
          ("counted of a purged document must be at most %d runs, none negative, of its %d tokens:"
                  + " found %d of %d")
              .formatted(MOST_RUNS, tokens, counted.size(), sum));
    }
  }

  /** What the tokens take. */
  long bytes(PurgedReading made) {
    return (long) width * made.getTokens();
  }

  /** The tokens; {@link #require} was asked. */
  byte[] tokens(PurgedReading made) {
    ByteBuffer tokens = ByteBuffer.allocate(Math.multiplyExact(width, made.getTokens()));
    while (tokens.hasRemaining()) {
      tokens.put(padding);
    }
    return tokens.array();
  }

  /** Runs of the tokens, as {@link TokenizedDocument#counted()} has them. */
  static int[] counted(PurgedReading made) {
    return made.getCounted().stream().mapToInt(Integer::intValue).toArray();
  }
}
