package io.sluice.corpus.tokens;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * How a column of MDS writes ids: {@code bytes}, or {@code ndarray} with or without type and shape.
 * See {@code streaming/base/format/mds/encodings.py}.
 *
 * @param type of the ids; empty if each value says it
 * @param shaped whether each value says its shape
 */
record MdsColumn(Optional<TokenType> type, boolean shaped) {
  private static final String ARRAY = "ndarray";

  /**
   * The column of that encoding.
   *
   * @param bytesType type of ids in plain bytes
   * @throws IOException if it holds no ids
   */
  static MdsColumn of(String name, String encoding, TokenType bytesType) throws IOException {
    if (encoding.equals("bytes")) {
      return new MdsColumn(Optional.of(bytesType), false);
    }
    String[] parts = encoding.split(":", 4);
    Optional<TokenType> type = parts.length > 1 ? TokenType.named(parts[1]) : Optional.empty();
    if (!parts[0].equals(ARRAY) || parts.length > 3 || (parts.length > 1 && type.isEmpty())) {
      throw new IOException(
          "column '" + name + "' must be bytes or an ndarray of whole numbers: found " + encoding);
    }
    return new MdsColumn(type, parts.length < 3);
  }

  /** The document in a value. */
  TokenRow read(long number, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    TokenType found = type.orElse(TokenType.UINT8);
    if (type.isEmpty()) {
      int code = in.hasRemaining() ? in.get() & 0xFF : 0;
      Optional<TokenType> named = TokenType.named(((code & 1) == 0 ? "uint" : "int") + (code & ~1));
      if (named.isEmpty()) {
        return TokenRow.refused(number, found, "no type of whole numbers has the code " + code);
      }
      found = named.get();
    }
    if (shaped && !skipShape(in, found)) {
      return TokenRow.refused(number, found, "the shape of its array is not that of its bytes");
    }
    byte[] ids = Arrays.copyOfRange(value, in.position(), value.length);
    return ids.length % found.bytes() == 0
        ? TokenRow.of(number, found, ids)
        : TokenRow.refused(
            number, found, ids.length + " bytes are no whole number of ids of " + found);
  }

  /** Passes over the number of dimensions and each one; false if they are not what follows. */
  private static boolean skipShape(ByteBuffer in, TokenType type) {
    int first = in.hasRemaining() ? in.get() & 0xFF : 0;
    int width = 1 << (first & 3);
    int dimensions = first >> 2;
    if (in.remaining() < dimensions * width) {
      return false;
    }
    long ids = 1;
    for (int each = 0; each < dimensions; each++) {
      long size =
          switch (width) {
            case 1 -> in.get() & 0xFF;
            case 2 -> in.getShort() & 0xFFFF;
            case 4 -> in.getInt() & 0xFFFF_FFFFL;
            default -> in.getLong();
          };
      if (size < 0 || size > Integer.MAX_VALUE || ids * size > Integer.MAX_VALUE) {
        return false;
      }
      ids *= size;
    }
    return ids * type.bytes() == in.remaining();
  }
}
