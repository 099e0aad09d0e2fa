package io.sluice.jobs.prepare.tokenizer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The token ids of a tokenizer.
 *
 * @param size every id is below this
 * @param beginOfDocument id before every document, or {@link #NONE}
 * @param endOfDocument id that follows every document
 * @param padding id that fills the last block of an ended domain; never trained, so it may equal
 *     {@code endOfDocument} where the tokenizer has no padding token
 */
public record Vocabulary(int size, int beginOfDocument, int endOfDocument, int padding) {
  /** No token. */
  public static final int NONE = -1;

  private static final int TWO_BYTES = 1 << 16;

  /** Checks that the special ids are in the vocabulary. */
  public Vocabulary {
    if (beginOfDocument != NONE) {
      requireId("begin-of-document", beginOfDocument, size);
    }
    requireId("end-of-document", endOfDocument, size);
    requireId("padding", padding, size);
  }

  /** One with nothing before a document. */
  public Vocabulary(int size, int endOfDocument, int padding) {
    this(size, NONE, endOfDocument, padding);
  }

  /** Bytes that hold one id: 2 where every id is below 65,536, otherwise 4. */
  public int tokenWidth() {
    return size <= TWO_BYTES ? 2 : 4;
  }

  /**
   * Checks a document's ids.
   *
   * @param tokens of {@link #tokenWidth()} bytes each, little-endian, unsigned
   * @throws IllegalArgumentException naming the first that is not of the vocabulary
   */
  public void requireTokens(ByteBuffer tokens) {
    int width = tokenWidth();
    if (tokens.remaining() % width != 0) {
      throw new IllegalArgumentException(
          tokens.remaining() + " bytes are no whole number of ids of " + width + " bytes");
    }
    ByteBuffer in = tokens.slice().order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < in.limit(); at += width) {
      long id = width == Short.BYTES ? in.getShort(at) & 0xFFFF : in.getInt(at) & 0xFFFF_FFFFL;
      if (id >= size) {
        throw new IllegalArgumentException(
            "token " + (at / width + 1) + " must be in [0, " + size + "): found " + id);
      }
    }
  }

  private static void requireId(String what, int id, int size) {
    if (id < 0 || id >= size) {
      throw new IllegalArgumentException(what + " token must be in [0, " + size + "): found " + id);
    }
  }
}
