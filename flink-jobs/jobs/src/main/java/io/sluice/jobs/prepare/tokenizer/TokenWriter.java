package io.sluice.jobs.prepare.tokenizer;

import java.util.Arrays;

/** A growing array of token ids, little-endian, of a fixed width. */
final class TokenWriter {
  private static final int MAXIMUM = Integer.MAX_VALUE - 8;

  private final int width;
  private byte[] bytes;
  private int length;

  TokenWriter(int width, int expectedTokens) {
    this.width = width;
    this.bytes = new byte[Math.multiplyExact(width, Math.max(expectedTokens, 1))];
  }

  void add(int token) {
    if (length + width > bytes.length) {
      long grown = Math.min(2L * bytes.length, MAXIMUM);
      bytes = Arrays.copyOf(bytes, (int) Math.max(grown, Math.addExact(length, width)));
    }
    for (int shift = 0; shift < 8 * width; shift += 8) {
      bytes[length++] = (byte) (token >>> shift);
    }
  }

  byte[] toBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
