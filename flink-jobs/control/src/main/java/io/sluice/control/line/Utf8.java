package io.sluice.control.line;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/** Strict UTF-8. */
public final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /**
   * The text of the bytes, without a byte order mark.
   *
   * @throws CharacterCodingException if they are not UTF-8
   */
  public static String decode(byte[] bytes) throws CharacterCodingException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // The fast decoder hides errors behind replacement characters; without one there was none.
    if (text.indexOf(REPLACEMENT) >= 0) {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /**
   * The same.
   *
   * @throws RefusedException saying where the first byte is that is not UTF-8
   */
  public static String require(byte[] bytes) throws RefusedException {
    try {
      return decode(bytes);
    } catch (CharacterCodingException e) {
      throw new RefusedException("not UTF-8 at byte " + firstError(bytes).orElse(0));
    }
  }

  /** Where the first byte is that is not UTF-8; empty if all are. */
  public static OptionalInt firstError(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(8192);
    var decoder = StandardCharsets.UTF_8.newDecoder();
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow()) {
      out.clear();
      result = decoder.decode(in, out, true);
    }
    return result.isError() ? OptionalInt.of(in.position()) : OptionalInt.empty();
  }

  /** Bytes of the text in UTF-8. */
  public static long length(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // The two halves of a pair are two bytes each.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /** True if a surrogate stands alone, which no UTF-8 can say. */
  static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return true;
      }
    }
    return false;
  }
}
