package io.sluice.mixture.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Bytes that begin with their version. */
public final class VersionedBytes {
  private VersionedBytes() {}

  /** Writes what follows the version. */
  public interface Body {
    /** Writes it. */
    void write(DataOutputStream out) throws IOException;
  }

  /** Reads what follows the version. */
  public interface Reader<T> {
    /** What was written. */
    T read(DataInputStream in) throws IOException;
  }

  /** The version and what follows it. */
  public static byte[] write(int version, Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(version);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * What {@link #write} wrote.
   *
   * @param what the bytes are, for messages
   * @throws IllegalArgumentException if they are of another version
   * @throws UncheckedIOException if they are cut
   */
  public static <T> T read(String what, int version, byte[] bytes, Reader<T> reader) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte found = in.readByte();
      if (found != version) {
        throw new IllegalArgumentException(what + " must be of version " + version + ": " + found);
      }
      return reader.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(what + " of " + bytes.length + " bytes is cut", e);
    }
  }

  /** Writes numbers after how many they are. */
  public static void write(DataOutputStream out, long[] values) throws IOException {
    out.writeInt(values.length);
    for (long value : values) {
      out.writeLong(value);
    }
  }

  /** Reads the numbers that {@link #write(DataOutputStream, long[])} wrote. */
  public static long[] readLongs(DataInputStream in) throws IOException {
    long[] values = new long[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readLong();
    }
    return values;
  }
}
