package io.sluice.corpus.tokens;

import io.sluice.control.line.RefusedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The ids of a vocabulary, as documents carry them.
 *
 * @param vocabulary every id is below this
 * @param width bytes of each, little-endian, unsigned: 2 or 4
 */
public record TokenIds(int vocabulary, int width) {
  /**
   * A document's ids in that width.
   *
   * @throws RefusedException if the document cannot be used, or an id is not of the vocabulary
   */
  public byte[] of(TokenRow row) throws RefusedException {
    if (row.refusal() != null) {
      throw new RefusedException(row.refusal());
    }
    ByteBuffer in = ByteBuffer.wrap(row.tokens()).order(ByteOrder.LITTLE_ENDIAN);
    int count = row.tokens().length / row.type().bytes();
    byte[] ids = new byte[count * width];
    ByteBuffer out = ByteBuffer.wrap(ids).order(ByteOrder.LITTLE_ENDIAN);
    for (int each = 0; each < count; each++) {
      long id = checked(each, row.type().read(in, each * row.type().bytes()));
      if (width == Short.BYTES) {
        out.putShort((short) id);
      } else {
        out.putInt((int) id);
      }
    }
    return ids;
  }

  private long checked(int place, long id) throws RefusedException {
    if (id < 0 || id >= vocabulary) {
      throw new RefusedException(
          "token " + (place + 1L) + " must be in [0, " + vocabulary + "): found " + id);
    }
    return id;
  }
}
