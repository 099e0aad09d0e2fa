package io.sluice.client.block;

import io.sluice.client.error.UnusableBlockException;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.SchemaNormalization;

/**
 * Walks the fields of one encoded TokenBlock without copying its tokens. Every length is checked
 * against the bytes that are left before it is used, so that a corrupt one costs nothing.
 */
final class BlockCursor {
  private static final long SCHEMA =
      SchemaNormalization.parsingFingerprint64(TokenBlock.getClassSchema());
  private static final short MARKER = 0x01C3;

  private final ByteBuffer in;

  /** Reads from the buffer's position on, which stays as it is. */
  BlockCursor(ByteBuffer encoded) {
    this.in = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the prefix; fails unless it names TokenBlock's schema. */
  void requireTokenBlock() throws UnusableBlockException {
    if (in.remaining() < Short.BYTES + Long.BYTES
        || in.getShort() != MARKER
        || in.getLong() != SCHEMA) {
      throw new UnusableBlockException("its bytes are not an encoded TokenBlock");
    }
  }

  /** Avro's zig-zag variable-length integer. */
  long integer() throws UnusableBlockException {
    long bits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      require(1);
      byte next = in.get();
      bits |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw new UnusableBlockException("an integer of more than 10 bytes at byte " + in.position());
  }

  String text() throws UnusableBlockException {
    int length = require(integer());
    byte[] text = new byte[length];
    in.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Bytes that were read. */
  int position() {
    return in.position();
  }

  /** Skips a string or bytes. */
  void skipText() throws UnusableBlockException {
    skip(integer());
  }

  void skip(long length) throws UnusableBlockException {
    in.position(in.position() + require(length));
  }

  /** Fails unless so many bytes are left. */
  void requireBytes(long length) throws UnusableBlockException {
    require(length);
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
    long branch = integer();
    if (branch != 0 && branch != 1) {
      throw new UnusableBlockException("a union branch must be 0 or 1: " + branch);
    }
    return branch == 1;
  }

  private int require(long length) throws UnusableBlockException {
    if (length < 0 || length > in.remaining()) {
      throw new UnusableBlockException(
          "a length of " + length + " at byte " + in.position() + " of " + in.limit());
    }
    return (int) length;
  }
}
