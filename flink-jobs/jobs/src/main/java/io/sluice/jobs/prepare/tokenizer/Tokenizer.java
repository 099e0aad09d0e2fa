package io.sluice.jobs.prepare.tokenizer;

/**
 * A deterministic map from text to token ids. Every character of the text is ordinary text: the
 * name of a control token in a document never becomes that control token.
 *
 * <p>Many threads may use one tokenizer at the same time. Whoever closes it waits for those who do;
 * what it holds outside the heap is then gone, and a later use may fail.
 */
public interface Tokenizer extends AutoCloseable {
  /** Size and special ids of the vocabulary. */
  Vocabulary vocabulary();

  /**
   * A name that differs whenever the tokens may differ: the tokenizer's own name, or for a file the
   * digest of its content.
   */
  String identity();

  /**
   * Tokens of the text, without those that begin and end a document.
   *
   * @return ids of {@link Vocabulary#tokenWidth()} bytes each, little-endian, unsigned
   */
  byte[] encode(String text);

  /**
   * Text of the tokens, for people to read; special tokens are left out. A character that is cut at
   * either end becomes U+FFFD.
   *
   * @param tokens ids below the vocabulary's size
   */
  String decode(int[] tokens);

  /** Frees what the tokenizer holds outside the heap. */
  @Override
  default void close() {}
}
