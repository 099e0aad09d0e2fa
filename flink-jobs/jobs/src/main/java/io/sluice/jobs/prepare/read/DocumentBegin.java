package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.DatasetSpec;
import java.util.Arrays;

/** The token that a dataset has before each document, if it has one. */
final class DocumentBegin {
  private static final byte[] NONE = {};

  private final byte[] token;

  DocumentBegin(DatasetSpec spec) {
    int id = spec.getBeginOfDocument();
    token = id == Vocabulary.NONE ? NONE : TokenBytes.of(id, spec.getTokenWidth());
  }

  /** The document's tokens behind it; a document without a token has none at all. */
  byte[] before(byte[] tokens) {
    if (tokens.length == 0 || token.length == 0) {
      return tokens;
    }
    byte[] all = Arrays.copyOf(token, Math.addExact(token.length, tokens.length));
    System.arraycopy(tokens, 0, all, token.length, tokens.length);
    return all;
  }

  /**
   * Runs of the tokens with it, which counts in no loss where not all of them do.
   *
   * @param counted runs of those behind it, the first of them without a token
   */
  int[] before(int[] counted) {
    if (counted.length < 2 || token.length == 0) {
      return counted;
    }
    int[] all = counted.clone();
    all[1]++;
    return all;
  }
}
