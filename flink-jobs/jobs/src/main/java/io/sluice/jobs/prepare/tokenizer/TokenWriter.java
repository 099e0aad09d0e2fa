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
    ensure(width);
    for (int shift = 0; shift < 8 * width; shift += 8) {
      bytes[length++] = (byte) (token >>> shift);
    }
  }

  /** Tokens that are bytes already, of the same width. */
  void add(byte[] tokens) {
    ensure(tokens.length);
    System.arraycopy(tokens, 0, bytes, length, tokens.length);
    length += tokens.length;
  }

  byte[] toBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  private void ensure(int more) {
    if (more > bytes.length - length) {
      long grown = Math.min(2L * bytes.length, MAXIMUM);
      bytes = Arrays.copyOf(bytes, (int) Math.max(grown, Math.addExact(length, more)));
    }
  }
}
