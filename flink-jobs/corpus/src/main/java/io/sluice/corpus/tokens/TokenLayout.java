package io.sluice.corpus.tokens;

import java.util.Optional;

/**
 * What is known of files of tokens beside what they say themselves.
 *
 * @param bytesType type of ids in columns that are bytes and do not name one
 * @param tokensField column with the ids, in files that have columns; empty for the usual one of
 *     the format
 * @param idField column with the document's id, which may be missing
 * @param endOfDocument id behind which a new document begins, in files that are one row of ids
 * @param largest most bytes of a document's ids; a larger one is refused
 */
public record TokenLayout(
    TokenType bytesType,
    Optional<String> tokensField,
    String idField,
    long endOfDocument,
    int largest) {
  /** The column with the ids. */
  String field(String usual) {
    return tokensField.orElse(usual);
  }

  /** Why a document of so many bytes is refused. */
  String tooLarge(long bytes) {
    return "the document's ids have " + bytes + " bytes; the limit is " + largest;
  }
}
