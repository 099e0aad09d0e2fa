package io.sluice.mixture.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

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

  /** Reads what follows a version. */
  public interface VersionReader<T> {
    /** What was written. */
    T read(int version, DataInputStream in) throws IOException;
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
    return read(what, version, version, bytes, (found, in) -> reader.read(in));
  }

  /**
   * What {@link #write} wrote, now or before its last version.
   *
   * @param what the bytes are, for messages
   * @throws IllegalArgumentException if they are of another version
   * @throws UncheckedIOException if they are cut
   */
  public static <T> T read(
      String what, int oldest, int newest, byte[] bytes, VersionReader<T> reader) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte found = in.readByte();
      if (found < oldest || found > newest) {
        String known = oldest == newest ? "" + newest : "[" + oldest + ", " + newest + "]";
        throw new IllegalArgumentException(what + " must be of version " + known + ": " + found);
      }
      return reader.read(found, in);
    } catch (IOException e) {
      throw new UncheckedIOException(what + " of " + bytes.length + " bytes is cut", e);
    }
  }

  /** Writes a number that may be missing. */
  public static void write(DataOutputStream out, @Nullable Long value) throws IOException {
    out.writeBoolean(value != null);
    if (value != null) {
      out.writeLong(value);
    }
  }

  /** Reads the number that {@link #write(DataOutputStream, Long)} wrote. */
  public static @Nullable Long readOptional(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readLong() : null;
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
