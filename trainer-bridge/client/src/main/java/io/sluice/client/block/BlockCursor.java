package io.sluice.client.block;

import io.sluice.client.error.UnusableBlockException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Walks the values of one encoded record without copying what it passes over. Every length is
 * checked against the bytes that are left before it is used, so that a corrupt one costs nothing.
 */
final class BlockCursor {
  private static final short MARKER = 0x01C3;

  private final ByteBuffer in;
  private int at;

  /** Reads from the buffer's position on, which stays as it is. */
  BlockCursor(ByteBuffer encoded) {
    this.in = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the prefix: the fingerprint of the schema that the record was written with. */
  long schema() throws UnusableBlockException {
    if (left() < Short.BYTES + Long.BYTES || in.getShort(at) != MARKER) {
      throw new UnusableBlockException("its bytes are not an encoded record");
    }
    long fingerprint = in.getLong(at + Short.BYTES);
    at += Short.BYTES + Long.BYTES;
    return fingerprint;
  }

  /** Avro's zig-zag variable-length integer. */
  long integer() throws UnusableBlockException {
    long bits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      require(1);
      byte next = in.get(at++);
      bits |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw new UnusableBlockException("an integer of more than 10 bytes at byte " + at);
  }

  String text() throws UnusableBlockException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  private byte[] bytes() throws UnusableBlockException {
    byte[] bytes = new byte[require(integer())];
    in.get(at, bytes);
    at += bytes.length;
    return bytes;
  }

  /** Bytes that were read. */
  int position() {
    return at;
  }

  /** Skips a string or bytes. */
  void skipText() throws UnusableBlockException {
    skip(integer());
  }

  void skip(long length) throws UnusableBlockException {
    at += require(length);
  }

  /** Number of items in the next block of an array; 0 after the last. */
  long items() throws UnusableBlockException {
    long count = integer();
    if (count >= 0) {
      return require(count);
    }
    integer();
    return require(-count);
  }

  /** An array of integers. */
  int[] integers() throws UnusableBlockException {
    int[] values = new int[0];
    for (long n = items(); n > 0; n = items()) {
      int at = values.length;
      values = Arrays.copyOf(values, at + (int) n);
      for (int i = at; i < values.length; i++) {
        values[i] = (int) integer();
      }
    }
    return values;
  }

  /** An array of strings, as UTF-8. */
  List<byte[]> texts() throws UnusableBlockException {
    List<byte[]> texts = new ArrayList<>();
    for (long n = items(); n > 0; n = items()) {
      for (long i = 0; i < n; i++) {
        texts.add(bytes());
      }
    }
    return texts;
  }

  /** Skips an array of strings. */
  void skipTexts() throws UnusableBlockException {
    for (long n = items(); n > 0; n = items()) {
      for (long i = 0; i < n; i++) {
        skipText();
      }
    }
  }

  /** Reads the branch of a union with null; whether there is a value. */
  boolean present() throws UnusableBlockException {
    return branch(2) == 1;
  }

  /** Reads the branch of a union of so many. */
  int branch(int branches) throws UnusableBlockException {
    long branch = integer();
    if (branch < 0 || branch >= branches) {
      throw new UnusableBlockException(
          "a union branch must be in [0, " + branches + "): " + branch);
    }
    return (int) branch;
  }

  private int require(long length) throws UnusableBlockException {
    if (length < 0 || length > left()) {
      throw new UnusableBlockException(
          "a length of " + length + " at byte " + at + " of " + in.limit());
    }
    return (int) length;
  }

  private int left() {
    return in.limit() - at;
  }
}
