package io.sluice.mixture.policy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads a policy's state in the order in which {@link StateWriter} wrote it. */
public final class StateReader {
  private final String policy;
  private final ByteBuffer buffer;

  private StateReader(String policy, byte[] bytes) {
    this.policy = policy;
    this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * A reader behind the version.
   *
   * @throws IllegalArgumentException if the state is of another version
   */
  public static StateReader ofVersion(String policy, int version, byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != version) {
      throw new IllegalArgumentException(
          policy
              + " state must be of version "
              + version
              + ": "
              + (bytes.length == 0 ? "no bytes" : bytes[0]));
    }
    StateReader reader = new StateReader(policy, bytes);
    reader.buffer.position(1);
    return reader;
  }

  /** The next whole number. */
  public long number() {
    return require(1, Long.BYTES).getLong();
  }

  /** The next array. */
  public double[] array() {
    double[] values = new double[length(Double.BYTES)];
    buffer.asDoubleBuffer().get(values);
    buffer.position(buffer.position() + values.length * Double.BYTES);
    return values;
  }

  /** The next array of single precision. */
  public double[] floats() {
    double[] values = new double[length(Float.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = buffer.getFloat();
    }
    return values;
  }

  /** The next state of another policy. */
  public byte[] state() {
    byte[] state = new byte[length(Byte.BYTES)];
    buffer.get(state);
    return state;
  }

  /** How many values of so many bytes come next: they are all there. */
  private int length(int bytes) {
    int length = require(1, Integer.BYTES).getInt();
    require(length, bytes);
    return length;
  }

  private ByteBuffer require(int values, int bytes) {
    if (values < 0 || values > buffer.remaining() / bytes) {
      throw new IllegalArgumentException(
          policy + " state of " + buffer.capacity() + " bytes is cut");
    }
    return buffer;
  }
}
