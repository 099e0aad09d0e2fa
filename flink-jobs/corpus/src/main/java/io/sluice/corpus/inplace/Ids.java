package io.sluice.corpus.inplace;

import java.nio.ByteBuffer;

/** Token ids as rows have them: little-endian, unsigned. */
final class Ids {
  private Ids() {}

  /**
   * The id at a place.
   *
   * @param tokens little-endian
   * @param width bytes of each, 2 or 4
   */
  static long at(ByteBuffer tokens, int place, int width) {
    return width == Short.BYTES
        ? tokens.getShort(place * width) & 0xFFFF
        : tokens.getInt(place * width) & 0xFFFF_FFFFL;
  }
}
