package io.sluice.jobs.prepare;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Length-prefixed byte arrays and texts of any length in state and between operators. */
final class Bytes {
  private Bytes() {}

  static void write(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] read(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  static void writeText(DataOutput out, String text) throws IOException {
    write(out, text.getBytes(StandardCharsets.UTF_8));
  }

  static String readText(DataInput in) throws IOException {
    return new String(read(in), StandardCharsets.UTF_8);
  }

  /** Fails when state was written by a version that this one cannot read. */
  static void requireVersion(String what, byte known, byte found) {
    if (found != known) {
      throw new IllegalStateException(
          what + " state has version " + found + "; this version of Sluice reads " + known);
    }
  }
}
