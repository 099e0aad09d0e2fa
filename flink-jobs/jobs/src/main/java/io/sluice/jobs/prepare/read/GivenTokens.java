package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.Limits;
import io.sluice.schema.TokenDocument;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Documents that are token ids already, for a dataset. Ids pass through as they are; only an end of
 * a document behind them is left out, for packing puts one behind every document.
 *
 * @param tokenizer identity of the dataset's
 * @param vocabulary of the dataset's tokenizer
 */
record GivenTokens(String tokenizer, Vocabulary vocabulary) {
  /**
   * The document's ids.
   *
   * @throws IllegalArgumentException if they are another tokenizer's, or none of it
   */
  byte[] of(TokenDocument document) {
    if (!document.getTokenizer().equals(tokenizer)
        || document.getTokenWidth() != vocabulary.tokenWidth()) {
      throw unusable(
          document,
          String.format(
              "they must be of tokenizer '%s' with %d bytes each: found '%s' with %d",
              tokenizer,
              vocabulary.tokenWidth(),
              Limits.shown(document.getTokenizer()),
              document.getTokenWidth()));
    }
    ByteBuffer tokens = document.getTokens();
    try {
      vocabulary.requireTokens(tokens);
    } catch (IllegalArgumentException e) {
      throw unusable(document, String.valueOf(e.getMessage()));
    }
    byte[] ids = new byte[tokens.remaining() - (endsInEnd(tokens) ? vocabulary.tokenWidth() : 0)];
    tokens.get(tokens.position(), ids);
    return ids;
  }

  private boolean endsInEnd(ByteBuffer tokens) {
    int width = vocabulary.tokenWidth();
    if (tokens.remaining() < width) {
      return false;
    }
    ByteBuffer last = tokens.slice(tokens.limit() - width, width).order(ByteOrder.LITTLE_ENDIAN);
    int id = width == Short.BYTES ? last.getShort(0) & 0xFFFF : last.getInt(0);
    return id == vocabulary.endOfDocument();
  }

  private static IllegalArgumentException unusable(TokenDocument document, String why) {
    return new IllegalArgumentException(
        "tokens of document '" + Limits.shown(document.getId()) + "' cannot be used: " + why);
  }
}
