package io.sluice.corpus.tokens;

import org.jspecify.annotations.Nullable;

/**
 * One document of a file of tokens.
 *
 * @param number of the document in its file, from 1
 * @param id bytes of its own id; null if it has none
 * @param type of its tokens
 * @param tokens their bytes; none if it cannot be used
 * @param refusal why it cannot be used; null if it can
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
public record TokenRow(
    long number, byte @Nullable [] id, TokenType type, byte[] tokens, @Nullable String refusal) {
  private static final byte[] NONE = {};

  /** A document by its place. */
  static TokenRow of(long number, TokenType type, byte[] tokens) {
    return new TokenRow(number, null, type, tokens, null);
  }

  /** One that cannot be used. */
  static TokenRow refused(long number, TokenType type, String why) {
    return new TokenRow(number, null, type, NONE, why);
  }
}
