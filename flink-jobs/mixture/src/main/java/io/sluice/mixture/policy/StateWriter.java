package io.sluice.mixture.policy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes a policy's state: a version, then numbers and arrays in an order the policy knows. */
public final class StateWriter {
  // Little-endian is what machines have, so that arrays are copied as they are.
  private ByteBuffer buffer = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

  private StateWriter() {}

  /** State of this version of the policy's own format. */
  public static StateWriter ofVersion(int version) {
    StateWriter writer = new StateWriter();
    writer.buffer.put((byte) version);
    return writer;
  }

  /** Adds a whole number. */
  public StateWriter put(long value) {
    reserve(Long.BYTES);
    buffer.putLong(value);
    return this;
  }

  /** Adds an array with its length. */
  public StateWriter put(double... values) {
    reserve(Integer.BYTES + values.length * Double.BYTES);
    buffer.putInt(values.length);
    buffer.asDoubleBuffer().put(values);
    buffer.position(buffer.position() + values.length * Double.BYTES);
    return this;
  }

  /** Adds an array with its length, each value rounded to single precision. */
  public StateWriter putFloats(double[] values) {
    reserve(Integer.BYTES + values.length * Float.BYTES);
    buffer.putInt(values.length);
    for (double value : values) {
      buffer.putFloat((float) value);
    }
    return this;
  }

  /** Adds the state of another policy, with its length. */
  public StateWriter put(byte[] state) {
    reserve(Integer.BYTES + state.length);
    buffer.putInt(state.length);
    buffer.put(state);
    return this;
  }

  /** The bytes so far. */
  public byte[] bytes() {
    byte[] bytes = new byte[buffer.position()];
    buffer.get(0, bytes);
    return bytes;
  }

  private void reserve(int more) {
    if (buffer.remaining() < more) {
      int size = Math.max(buffer.position() + more, 2 * buffer.capacity());
      buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
    }
  }
}
