package io.sluice.jobs.mix.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Bytes of a {@link StreamRecord} between tasks that are not chained; nothing stores them. */
public final class StreamRecordSerializer extends TypeSerializerSingleton<StreamRecord> {
  private static final long serialVersionUID = 1L;

  static final StreamRecordSerializer INSTANCE = new StreamRecordSerializer();

  /** What a savepoint remembers of the serializer. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<StreamRecord> {
    /** For Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public StreamRecord createInstance() {
    return new StreamRecord(new StreamTarget("", "", ""), 0, 0, new byte[0], new byte[0]);
  }

  @Override
  public StreamRecord copy(StreamRecord from) {
    return from;
  }

  @Override
  public StreamRecord copy(StreamRecord from, StreamRecord reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(StreamRecord record, DataOutputView target) throws IOException {
    target.writeUTF(record.target().runId());
    target.writeUTF(record.target().topic());
    target.writeUTF(record.target().topicId());
    target.writeInt(record.partition());
    target.writeLong(record.timestamp());
    writeBytes(record.header(), target);
    writeBytes(record.value(), target);
  }

  @Override
  public StreamRecord deserialize(DataInputView source) throws IOException {
    return new StreamRecord(
        new StreamTarget(source.readUTF(), source.readUTF(), source.readUTF()),
        source.readInt(),
        source.readLong(),
        readBytes(source),
        readBytes(source));
  }

  @Override
  public StreamRecord deserialize(StreamRecord reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<StreamRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  private static void writeBytes(byte[] bytes, DataOutputView target) throws IOException {
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  private static byte[] readBytes(DataInputView source) throws IOException {
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    return bytes;
  }
}
