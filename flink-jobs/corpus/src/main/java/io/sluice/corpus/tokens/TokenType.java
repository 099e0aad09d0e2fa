package io.sluice.corpus.tokens;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a file writes token ids: whole numbers, little-endian. */
public enum TokenType {
  UINT8(1, 0xFF),
  INT8(1, -1L),
  UINT16(2, 0xFFFF),
  INT16(2, -1L),
  UINT32(4, 0xFFFF_FFFFL),
  INT32(4, -1L),
  UINT64(8, -1L),
  INT64(8, -1L);

  private final int bytes;
  private final long mask;

  TokenType(int bytes, long mask) {
    this.bytes = bytes;
    this.mask = mask;
  }

  /** The type of that name, as NumPy has it. */
  public static Optional<TokenType> named(String name) {
    return Arrays.stream(values()).filter(type -> type.toString().equals(name)).findFirst();
  }

  /** Bytes of one id. */
  public int bytes() {
    return bytes;
  }

  /**
   * An id; negative if the number is, or does not fit 63 bits.
   *
   * @param in little-endian
   * @param at its first byte
   */
  long read(ByteBuffer in, int at) {
    long number =
        switch (bytes) {
          case 1 -> in.get(at);
          case 2 -> in.getShort(at);
          case 4 -> in.getInt(at);
          default -> in.getLong(at);
        };
    return number & mask;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
