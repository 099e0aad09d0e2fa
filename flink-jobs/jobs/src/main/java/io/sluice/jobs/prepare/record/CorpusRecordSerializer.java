package io.sluice.jobs.prepare.record;

import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.serial.CompactSerializer;
import io.sluice.jobs.serial.CompactType;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes corpus records. */
public final class CorpusRecordSerializer extends CompactSerializer<CorpusRecord> {
  static final CorpusRecordSerializer INSTANCE = new CorpusRecordSerializer();
  public static final TypeInformation<CorpusRecord> TYPE =
      new CompactType<>(CorpusRecord.class, INSTANCE);

  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(CorpusRecord message, DataOutputView out) throws IOException {
    Bytes.writeText(out, message.topic());
    out.writeInt(message.partition());
    out.writeLong(message.offset());
    Bytes.write(out, message.value());
  }

  @Override
  public CorpusRecord deserialize(DataInputView in) throws IOException {
    return new CorpusRecord(Bytes.readText(in), in.readInt(), in.readLong(), Bytes.read(in));
  }

  @Override
  public TypeSerializerSnapshot<CorpusRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Names the serializer in checkpoints. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<CorpusRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
