package io.sluice.jobs.prepare.tokenizer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Tokens as blocks have them. */
public final class TokenBytes {
  private TokenBytes() {}

  /**
   * A token's bytes, little-endian.
   *
   * @param id below 256^width
   * @param width bytes of a token, 2 or 4
   */
  public static byte[] of(int id, int width) {
    ByteBuffer wide = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(id);
    return Arrays.copyOf(wide.array(), width);
  }

  /** Tokens one after the other. */
  public static byte[] joined(List<byte[]> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, part.length);
    }
    ByteBuffer whole = ByteBuffer.allocate(length);
    parts.forEach(whole::put);
    return whole.array();
  }
}
