package io.sluice.jobs.refine.read;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Positions as versioned bytes. */
final class RefinePositionSerializer implements SimpleVersionedSerializer<RefinePosition> {
  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(RefinePosition position) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(position.records());
      out.writeLong(position.rounds());
      out.writeBoolean(position.begun());
      out.writeInt(position.offsets().size());
      for (int i = 0; i < position.offsets().size(); i++) {
        out.writeLong(position.offsets().get(i));
        out.writeLong(position.ends().get(i));
      }
    }
    return bytes.toByteArray();
  }

  @Override
  public RefinePosition deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "the position of a refinery must have version " + VERSION + ": found " + version);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
      long records = in.readLong();
      long rounds = in.readLong();
      boolean begun = in.readBoolean();
      int inputs = in.readInt();
      List<Long> offsets = new ArrayList<>();
      List<Long> ends = new ArrayList<>();
      for (int i = 0; i < inputs; i++) {
        offsets.add(in.readLong());
        ends.add(in.readLong());
      }
      return new RefinePosition(records, rounds, begun, offsets, ends);
    }
  }
}
