package io.sluice.jobs.mix.rest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Splits as versioned bytes. What the serializer of single splits has written by itself is read,
 * too.
 *
 * @param single of one split
 */
public record KeptSplitsSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> single)
    implements SimpleVersionedSerializer<KafkaPartitionSplit> {
  /** Far from those of the other serializer. */
  private static final int VERSION = 1_001;

  private static final int NOT_KEPT = -1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(KafkaPartitionSplit split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(single.getVersion());
      if (split instanceof KeptSplits kept) {
        out.writeInt(kept.getPartition());
        out.writeInt(kept.splits().size());
        for (KafkaPartitionSplit each : kept.splits()) {
          write(each, out);
        }
      } else {
        out.writeInt(NOT_KEPT);
        write(split, out);
      }
    }
    return bytes.toByteArray();
  }

  private void write(KafkaPartitionSplit split, DataOutputStream out) throws IOException {
    byte[] bytes = single.serialize(split);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  @Override
  public KafkaPartitionSplit deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      return single.deserialize(version, serialized);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
      int singleVersion = in.readInt();
      int reader = in.readInt();
      if (reader == NOT_KEPT) {
        return read(singleVersion, in);
      }
      int count = in.readInt();
      List<KafkaPartitionSplit> splits = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        splits.add(read(singleVersion, in));
      }
      return new KeptSplits(reader, splits);
    }
  }

  private KafkaPartitionSplit read(int version, DataInputStream in) throws IOException {
    return single.deserialize(version, in.readNBytes(in.readInt()));
  }
}
