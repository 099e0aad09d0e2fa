package io.sluice.cli.cat;

import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tokens as one line of text; as their ids where the tokenizer is not known here.
 *
 * @param width most characters; 0 for all
 */
record SequenceText(@Nullable Tokenizer tokenizer, int width) implements AutoCloseable {
  /**
   * The text of a dataset's blocks; ids if the dataset or its tokenizer's file is not there.
   *
   * @param reason takes why there are only ids
   */
  static SequenceText of(KafkaAccess access, String dataset, int width, Consumer<String> reason) {
    try {
      DatasetSpec spec = new DatasetCatalog(access).require(dataset);
      return new SequenceText(DatasetSpecs.tokenizer(spec, TokenizerStore.of(access)), width);
    } catch (BadInputException | IllegalArgumentException e) {
      reason.accept(String.valueOf(e.getMessage()));
      return new SequenceText(null, width);
    }
  }

  /** A sequence, with its text. */
  Row row(Sequence sequence) {
    StreamHeader header = sequence.header();
    TokenBlock block = sequence.block();
    return new Row(
        header.batch(),
        header.timeline(),
        header.index(),
        header.weightsVersion(),
        block.getDomain(),
        header.ordinal(),
        block.getTrainedTokens(),
        block.getDocumentIds().stream().filter(id -> !id.isEmpty()).distinct().count(),
        of(Tokens.of(block)));
  }

  /**
   * A sequence.
   *
   * @param index of all sequences of the run
   * @param ordinal of the domain's block, epochs counted through
   * @param tokens that are trained
   * @param documents that have a part of it
   */
  record Row(
      long batch,
      int timeline,
      long index,
      int mixtureVersion,
      String domain,
      long ordinal,
      int tokens,
      long documents,
      String text) {
    /** In one line; the timeline only after a rewind. */
    String line() {
      return String.format(
          Locale.ROOT,
          "batch %d%s  index %d  v%d  %s#%d  %d tokens  %d documents  %s",
          batch,
          timeline == 0 ? "" : "  timeline " + timeline,
          index,
          mixtureVersion,
          domain,
          ordinal,
          tokens,
          documents,
          text);
    }
  }

  String of(int[] tokens) {
    String text = tokenizer == null ? Arrays.toString(tokens) : tokenizer.decode(tokens);
    String oneLine = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    int end = width == 0 ? oneLine.length() : Math.min(width, oneLine.length());
    return end < oneLine.length() ? oneLine.substring(0, end) + "…" : oneLine;
  }

  @Override
  public void close() {
    if (tokenizer != null) {
      tokenizer.close();
    }
  }
}
