package io.sluice.cli.cat;

import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import java.util.Locale;

/** One sequence of a stream as one line of text. */
final class SequenceLine {
  private final SequenceText text;

  SequenceLine(SequenceText text) {
    this.text = text;
  }

  /**
   * Batch, timeline after a rewind, index, mixture version, domain, ordinal, trained tokens,
   * documents, and the text.
   */
  String of(Sequence sequence) {
    StreamHeader header = sequence.header();
    TokenBlock block = sequence.block();
    return String.format(
        Locale.ROOT,
        "batch %d%s  index %d  v%d  %s#%d  %d tokens  %d documents  %s",
        header.batch(),
        header.timeline() == 0 ? "" : "  timeline " + header.timeline(),
        header.index(),
        header.weightsVersion(),
        block.getDomain(),
        header.ordinal(),
        block.getTrainedTokens(),
        block.getDocumentIds().stream().filter(id -> !id.isEmpty()).distinct().count(),
        text.of(Tokens.of(block)));
  }
}
