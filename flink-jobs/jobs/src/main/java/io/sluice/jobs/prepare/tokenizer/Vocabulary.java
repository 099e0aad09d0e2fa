package io.sluice.jobs.prepare.tokenizer;

/**
 * The token ids of a tokenizer.
 *
 * @param size every id is below this
 * @param endOfDocument id that follows every document
 * @param padding id that fills the last block of an ended domain; never trained, so it may equal
 *     {@code endOfDocument} where the tokenizer has no padding token
 */
public record Vocabulary(int size, int endOfDocument, int padding) {
  private static final int TWO_BYTES = 1 << 16;

  /** Checks that the special ids are in the vocabulary. */
  public Vocabulary {
    requireId("end-of-document", endOfDocument, size);
    requireId("padding", padding, size);
  }

  /** Bytes that hold one id: 2 where every id is below 65,536, otherwise 4. */
  public int tokenWidth() {
    return size <= TWO_BYTES ? 2 : 4;
  }

  private static void requireId(String what, int id, int size) {
    if (id < 0 || id >= size) {
      throw new IllegalArgumentException(what + " token must be in [0, " + size + "): found " + id);
    }
  }
}
