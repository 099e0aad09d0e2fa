package io.sluice.schema;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What Avro's single-object encoding begins with: C3 01, and the schema's fingerprint. */
final class WirePrefix {
  /** Bytes of it. */
  static final int LENGTH = 10;

  private WirePrefix() {}

  /** Whether bytes begin so. */
  static boolean is(ByteBuffer bytes) {
    return bytes.remaining() >= LENGTH
        && bytes.get(bytes.position()) == (byte) 0xC3
        && bytes.get(bytes.position() + 1) == 1;
  }

  /** The fingerprint of the schema that the bytes, which begin so, were written with. */
  static long fingerprint(ByteBuffer bytes) {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.position() + 2);
  }
}
