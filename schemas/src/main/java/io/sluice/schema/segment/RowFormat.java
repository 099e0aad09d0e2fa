package io.sluice.schema.segment;

import io.sluice.schema.DatasetSpec;
import java.nio.ByteBuffer;

/**
 * How rows lie in data: the tokens of a block, filled with zeros to a multiple of 8 bytes.
 *
 * @param tokens of a block: one more than its labels
 * @param width bytes of a token, 2 or 4, little-endian and unsigned
 */
public record RowFormat(int tokens, int width) {
  public RowFormat {
    if (tokens < 2 || (width != 2 && width != 4)) {
      throw new IllegalArgumentException(
          "a row must have at least 2 tokens of 2 or 4 bytes: found " + tokens + " of " + width);
    }
  }

  /** How blocks of a dataset lie in rows. */
  public static RowFormat of(DatasetSpec spec) {
    return new RowFormat(spec.getSequenceLength() + 1, spec.getTokenWidth());
  }

  /** Labels of a row. */
  public int labels() {
    return tokens - 1;
  }

  /** Bytes of a row's tokens. */
  public int bytes() {
    return tokens * width;
  }

  /** Bytes from a row to the next, where its segment does not say another number. */
  public int stride() {
    return (bytes() + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /**
   * The row of a block's tokens.
   *
   * @throws IllegalArgumentException if they are not as many bytes as a row's
   */
  public byte[] row(ByteBuffer blockTokens) {
    if (blockTokens.remaining() != bytes()) {
      throw new IllegalArgumentException(
          "a row must have " + bytes() + " bytes of tokens: found " + blockTokens.remaining());
    }
    byte[] row = new byte[stride()];
    blockTokens.duplicate().get(row, 0, bytes());
    return row;
  }
}
