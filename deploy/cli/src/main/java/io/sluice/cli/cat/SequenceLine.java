package io.sluice.cli.cat;

import io.sluice.client.Sequence;
import io.sluice.client.Tokens;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import java.util.Locale;

/** One sequence of a stream as one line of text. */
final class SequenceLine {
  private final Tokenizer tokenizer;
  private final int width;

  /**
   * Lines whose text is cut.
   *
   * @param width most characters of text; 0 for all
   */
  SequenceLine(Tokenizer tokenizer, int width) {
    this.tokenizer = tokenizer;
    this.width = width;
  }

  /** Batch, index, mixture version, domain, ordinal, trained tokens, documents, and the text. */
  String of(Sequence sequence) {
    StreamHeader header = sequence.header();
    TokenBlock block = sequence.block();
    return String.format(
        Locale.ROOT,
        "batch %d  index %d  v%d  %s#%d  %d tokens  %d documents  %s",
        header.batch(),
        header.index(),
        header.weightsVersion(),
        block.getDomain(),
        header.ordinal(),
        block.getTrainedTokens(),
        block.getDocumentIds().stream().filter(id -> !id.isEmpty()).distinct().count(),
        text(block));
  }

  private String text(TokenBlock block) {
    String text = tokenizer.decode(Tokens.of(block));
    String oneLine = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    int end = width == 0 ? oneLine.length() : Math.min(width, oneLine.length());
    return end < oneLine.length() ? oneLine.substring(0, end) + "…" : oneLine;
  }
}
