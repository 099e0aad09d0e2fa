package io.sluice.jobs.write;

import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.serial.CompactSerializer;
import io.sluice.jobs.serial.CompactType;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes output records. */
public final class OutputRecordSerializer extends CompactSerializer<OutputRecord> {
  public static final OutputRecordSerializer INSTANCE = new OutputRecordSerializer();
  public static final TypeInformation<OutputRecord> TYPE =
      new CompactType<>(OutputRecord.class, INSTANCE);

  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(OutputRecord message, DataOutputView out) throws IOException {
    Bytes.writeText(out, message.topic());
    out.writeInt(message.partition());
    out.writeLong(message.timestamp());
    Bytes.write(out, message.key());
    Bytes.write(out, message.value());
  }

  @Override
  public OutputRecord deserialize(DataInputView in) throws IOException {
    return new OutputRecord(
        Bytes.readText(in), in.readInt(), in.readLong(), Bytes.read(in), Bytes.read(in));
  }

  @Override
  public TypeSerializerSnapshot<OutputRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Names the serializer in checkpoints. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<OutputRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
