package io.sluice.jobs.serial;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Length-prefixed byte arrays and texts of any length in state and between operators. */
public final class Bytes {
  private Bytes() {}

  /** Writes the length and the bytes. */
  public static void write(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Writes what {@link #write(DataOutput, byte[])} writes for the bytes that remain. */
  public static void write(DataOutput out, ByteBuffer bytes) throws IOException {
    out.writeInt(bytes.remaining());
    out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }

  /** Reads what {@code write} wrote. */
  public static byte[] read(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  /** Writes a text's UTF-8 bytes. */
  public static void writeText(DataOutput out, String text) throws IOException {
    write(out, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads what {@link #writeText} wrote. */
  public static String readText(DataInput in) throws IOException {
    return new String(read(in), StandardCharsets.UTF_8);
  }
}
