package io.sluice.corpus.record;

import io.sluice.control.line.Fields;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.tokens.TokenSource;
import java.util.Optional;

/**
 * How a file is divided into records, and these become documents.
 *
 * @param format any but {@link Format#AUTO}
 * @param fields where text and id are in lines of JSONL and rows of Parquet
 * @param maxDocument most bytes of a document; a larger one is none
 * @param tokens what files of token ids hold, if and only if the format is that
 */
public record RecordReading(
    Format format, Fields fields, int maxDocument, Optional<TokenSource> tokens) {
  /** Checks what belongs together. */
  public RecordReading {
    if (format == Format.AUTO || tokens.isPresent() != (format == Format.TOKENS)) {
      throw new IllegalArgumentException("no format of " + format + " with tokens of " + tokens);
    }
  }

  /** Whether records are lines. */
  public boolean isLines() {
    return format == Format.LINES || format == Format.JSONL;
  }

  /** Whether a file is one record. */
  public boolean isWhole() {
    return format == Format.TEXT || format == Format.HTML;
  }

  /** Whether a file of such a name can be read from any of its records on. */
  public boolean isFromAnywhere(String name) {
    return isWhole() || (isLines() && !Content.isCompressed(name));
  }

  /** Why something that has so many bytes is refused. */
  String tooLarge(String what) {
    return what + " bytes; the limit is " + maxDocument;
  }
}
