package io.sluice.client;

import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
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

  BlockCursor(byte[] encoded) {
    this.in = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
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
    String text =
        new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
    skip(length);
    return text;
  }

  /** Skips a string or bytes. */
  void skipText() throws UnusableBlockException {
    skip(integer());
  }

  void skip(long length) throws UnusableBlockException {
    in.position(in.position() + require(length));
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

  /** Skips an array of integers. */
  void skipIntegers() throws UnusableBlockException {
    for (long n = items(); n > 0; n = items()) {
      for (long i = 0; i < n; i++) {
        integer();
      }
    }
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
