package io.sluice.jobs.prepare.pack;

import io.sluice.schema.DatasetSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Tokens as blocks have them. */
final class TokenBytes {
  private TokenBytes() {}

  /** A token in as many bytes as the dataset's tokens have, little-endian. */
  static byte[] of(DatasetSpec spec, int id) {
    ByteBuffer wide = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(id);
    return Arrays.copyOf(wide.array(), spec.getTokenWidth());
  }
}
