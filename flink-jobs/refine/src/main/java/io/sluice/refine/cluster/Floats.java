package io.sluice.refine.cluster;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Single-precision numbers in files: little-endian, one after the other. */
final class Floats {
  private Floats() {}

  static byte[] bytes(float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return bytes.array();
  }

  static FloatBuffer read(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
  }
}
