package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.ChainHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Splits as versioned bytes. */
public final class MixSplitSerializer implements SimpleVersionedSerializer<MixSplit> {
  private static final int VERSION = 5;

  /** Before entries of the log named by content what they are based on. */
  private static final int WITHOUT_DIGEST = 3;

  /** Before runs had a pace of their own. */
  static final int WITHOUT_PACE = 4;

  /** Before splits knew where chains begin: all of plan version 1. */
  static final int WITHOUT_CHAIN_START = 1;

  /** Before splits knew how far their streams reach. */
  static final int WITHOUT_REACH = 2;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(MixSplit split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(split, out);
    }
    return bytes.toByteArray();
  }

  @Override
  public MixSplit deserialize(int version, byte[] serialized) throws IOException {
    if (version < WITHOUT_CHAIN_START || version > VERSION) {
      throw new IOException(
          "split must be of version [" + WITHOUT_CHAIN_START + ", " + VERSION + "]: " + version);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
      return read(version, in);
    }
  }

  static void write(MixSplit split, DataOutputStream out) throws IOException {
    out.writeUTF(split.runId());
    out.writeInt(split.lane());
    out.writeInt(split.controlPartition());
    write(split.layout(), out);
    write(split.cursor(), out);
    VersionedBytes.write(out, split.reach().ends());
    VersionedBytes.write(out, split.reach().epochs());
  }

  static MixSplit read(int version, DataInputStream in) throws IOException {
    String runId = in.readUTF();
    return new MixSplit(
        runId,
        in.readInt(),
        in.readInt(),
        readLayout(version, in),
        readCursor(version, runId, in),
        version <= WITHOUT_REACH
            ? StreamReach.none()
            : new StreamReach(VersionedBytes.readLongs(in), VersionedBytes.readLongs(in)));
  }

  private static void write(RunLayout layout, DataOutputStream out) throws IOException {
    out.writeUTF(layout.run());
    out.writeUTF(layout.streamTopicId());
    out.writeUTF(layout.dataset());
    out.writeLong(layout.fingerprint());
    out.writeInt(layout.domains().size());
    for (String domain : layout.domains()) {
      out.writeUTF(domain);
    }
    out.writeInt(layout.streamPartitions());
    out.writeInt(layout.lanes());
    out.writeLong(layout.seed());
    out.writeLong(layout.chainStart());
    out.writeInt(layout.pace().priority());
    out.writeDouble(layout.pace().sequencesPerSecond());
  }

  private static RunLayout readLayout(int version, DataInputStream in) throws IOException {
    String run = in.readUTF();
    String streamTopicId = in.readUTF();
    String dataset = in.readUTF();
    long fingerprint = in.readLong();
    List<String> domains = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      domains.add(in.readUTF());
    }
    return new RunLayout(
        run,
        streamTopicId,
        dataset,
        fingerprint,
        domains,
        in.readInt(),
        in.readInt(),
        in.readLong(),
        version == WITHOUT_CHAIN_START ? ChainHash.START : in.readLong(),
        version <= WITHOUT_PACE ? Pace.FREE : new Pace(in.readInt(), in.readDouble()));
  }

  private static void write(SplitCursor cursor, DataOutputStream out) throws IOException {
    LogPosition control = cursor.control();
    out.writeInt(control.timeline());
    out.writeLong(control.serial());
    out.writeLong(control.offset());
    out.writeLong(control.granted());
    VersionedBytes.write(out, control.digest());
    out.writeUTF(cursor.phase().wireName());
    out.writeLong(cursor.batch());
    out.writeInt(cursor.position());
    out.writeLong(cursor.firstIndex());
    VersionedBytes.write(out, cursor.ordinals());
    VersionedBytes.write(out, cursor.used());
    VersionedBytes.write(out, cursor.sizes());
    VersionedBytes.write(out, cursor.chains());
  }

  private static SplitCursor readCursor(int version, String runId, DataInputStream in)
      throws IOException {
    LogPosition control =
        new LogPosition(
            runId,
            in.readInt(),
            in.readLong(),
            in.readLong(),
            in.readLong(),
            version <= WITHOUT_DIGEST ? null : VersionedBytes.readOptional(in));
    return new SplitCursor(
        control,
        RunPhase.ofWireName(in.readUTF()),
        in.readLong(),
        in.readInt(),
        in.readLong(),
        VersionedBytes.readLongs(in),
        VersionedBytes.readLongs(in),
        VersionedBytes.readLongs(in),
        VersionedBytes.readLongs(in));
  }
}
