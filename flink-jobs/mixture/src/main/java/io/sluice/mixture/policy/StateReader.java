package io.sluice.mixture.policy;

import java.nio.BufferUnderflowException;
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
    try {
      return buffer.getLong();
    } catch (BufferUnderflowException e) {
      throw cut(e);
    }
  }

  /** The next array. */
  public double[] array() {
    try {
      int length = buffer.getInt();
      if (length < 0 || length > buffer.remaining() / Double.BYTES) {
        throw new BufferUnderflowException();
      }
      double[] values = new double[length];
      buffer.asDoubleBuffer().get(values);
      buffer.position(buffer.position() + length * Double.BYTES);
      return values;
    } catch (BufferUnderflowException e) {
      throw cut(e);
    }
  }

  /** The next array of single precision. */
  public double[] floats() {
    try {
      int length = buffer.getInt();
      if (length < 0 || length > buffer.remaining() / Float.BYTES) {
        throw new BufferUnderflowException();
      }
      double[] values = new double[length];
      for (int i = 0; i < length; i++) {
        values[i] = buffer.getFloat();
      }
      return values;
    } catch (BufferUnderflowException e) {
      throw cut(e);
    }
  }

  /** The next state of another policy. */
  public byte[] state() {
    try {
      int length = buffer.getInt();
      if (length < 0 || length > buffer.remaining()) {
        throw new BufferUnderflowException();
      }
      byte[] state = new byte[length];
      buffer.get(state);
      return state;
    } catch (BufferUnderflowException e) {
      throw cut(e);
    }
  }

  private IllegalArgumentException cut(BufferUnderflowException cause) {
    return new IllegalArgumentException(
        policy + " state of " + buffer.capacity() + " bytes is cut", cause);
  }
}
