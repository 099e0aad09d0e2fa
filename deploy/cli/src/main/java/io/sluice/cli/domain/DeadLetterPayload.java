package io.sluice.cli.domain;

import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.schema.DeadLetter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What a dead letter has of a refused record, so that a terminal shows it and obeys none of it.
 *
 * @param isText whether it is UTF-8 without control characters but ends of lines and tabs
 * @param whole the text, or the bytes in hexadecimal digits
 */
record DeadLetterPayload(boolean isText, String whole) {
  private static final int BYTES_PER_LINE = 32;
  private static final HexFormat HEX = HexFormat.of();

  static DeadLetterPayload of(DeadLetter letter) {
    ByteBuffer payload = letter.getPayload().duplicate();
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    try {
      String text = Utf8.require(wholeCharacters(bytes));
      if (text.chars().noneMatch(DeadLetterPayload::isControl)) {
        return new DeadLetterPayload(true, text);
      }
    } catch (RefusedException e) {
      // Then it is shown as bytes.
    }
    return new DeadLetterPayload(false, HEX.formatHex(bytes));
  }

  /** For people, a line each. */
  List<String> lines() {
    if (isText) {
      return whole.lines().toList();
    }
    List<String> lines = new ArrayList<>();
    for (int from = 0; from < whole.length(); from += 2 * BYTES_PER_LINE) {
      lines.add(whole.substring(from, Math.min(whole.length(), from + 2 * BYTES_PER_LINE)));
    }
    return lines;
  }

  /** The bytes without a character that was cut off at their end. */
  private static byte[] wholeCharacters(byte[] bytes) {
    int first = bytes.length;
    while (first > 0 && bytes.length - first < 3 && (bytes[first - 1] & 0xC0) == 0x80) {
      first--;
    }
    if (first > 0 && (bytes[first - 1] & 0xC0) == 0xC0) {
      int head = bytes[first - 1] & 0xFF;
      int length = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
      return bytes.length - first + 1 < length ? Arrays.copyOf(bytes, first - 1) : bytes;
    }
    return bytes;
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t';
  }
}
