package io.sluice.mixture.round;

import io.sluice.mixture.state.VersionedBytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What is kept of a metric of a step, as versioned bytes. */
final class AttemptTallyCodec {
  private static final byte VERSION = 1;
  private static final byte OPEN = 0;
  private static final byte WON = 1;

  private AttemptTallyCodec() {}

  /** Bytes that {@link #decode} reads. */
  static byte[] encode(TallyEntry entry) {
    return VersionedBytes.write(
        VERSION,
        out -> {
          if (entry instanceof TallyEntry.Open open) {
            out.writeByte(OPEN);
            write(out, open.report());
          } else {
            out.writeByte(WON);
            write(out, (TallyEntry.Won) entry);
          }
        });
  }

  /**
   * The entry that {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is of another version
   */
  static TallyEntry decode(byte[] bytes) {
    return VersionedBytes.read(
        "a kept report",
        VERSION,
        bytes,
        in -> in.readByte() == OPEN ? new TallyEntry.Open(readReport(in)) : readWon(in));
  }

  private static void write(DataOutputStream out, Report report) throws IOException {
    out.writeInt(report.timeline());
    out.writeLong(report.step());
    out.writeUTF(report.attempt());
    out.writeInt(report.worldSize());
    out.writeInt(report.rank());
    out.writeUTF(report.metric());
    write(out, report.sums(), report.counts());
  }

  private static Report readReport(DataInputStream in) throws IOException {
    int timeline = in.readInt();
    long step = in.readLong();
    String attempt = in.readUTF();
    int worldSize = in.readInt();
    int rank = in.readInt();
    String metric = in.readUTF();
    ByteBuffer values = readValues(in);
    return new Report(
        timeline, step, attempt, worldSize, rank, metric, sums(values), counts(values));
  }

  private static void write(DataOutputStream out, TallyEntry.Won won) throws IOException {
    out.writeUTF(won.metric());
    out.writeUTF(won.attempt());
    out.writeInt(won.worldSize());
    write(out, won.sums(), won.counts());
  }

  private static TallyEntry.Won readWon(DataInputStream in) throws IOException {
    String metric = in.readUTF();
    String attempt = in.readUTF();
    int worldSize = in.readInt();
    ByteBuffer values = readValues(in);
    return new TallyEntry.Won(metric, attempt, worldSize, sums(values), counts(values));
  }

  /** All sums, then all counts: thousands of each are copied at once. */
  private static void write(DataOutputStream out, double[] sums, long[] counts) throws IOException {
    ByteBuffer values = ByteBuffer.allocate(sums.length * (Double.BYTES + Long.BYTES));
    values.asDoubleBuffer().put(sums);
    values.position(sums.length * Double.BYTES).asLongBuffer().put(counts);
    out.writeInt(sums.length);
    out.write(values.array());
  }

  private static ByteBuffer readValues(DataInputStream in) throws IOException {
    int length = in.readInt() * (Double.BYTES + Long.BYTES);
    ByteBuffer values = ByteBuffer.wrap(in.readNBytes(length));
    if (values.remaining() < length) {
      throw new EOFException();
    }
    return values;
  }

  private static double[] sums(ByteBuffer values) {
    double[] sums = new double[values.remaining() / (Double.BYTES + Long.BYTES)];
    values.asDoubleBuffer().get(sums);
    values.position(values.position() + sums.length * Double.BYTES);
    return sums;
  }

  private static long[] counts(ByteBuffer values) {
    long[] counts = new long[values.remaining() / Long.BYTES];
    values.asLongBuffer().get(counts);
    return counts;
  }
}
