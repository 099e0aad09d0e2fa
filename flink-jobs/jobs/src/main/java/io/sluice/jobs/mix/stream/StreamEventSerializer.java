package io.sluice.jobs.mix.stream;

import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.serial.CompactSerializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Bytes of a {@link StreamEvent} between tasks that are not chained; nothing stores them. */
public final class StreamEventSerializer extends CompactSerializer<StreamEvent> {
  private static final long serialVersionUID = 1L;

  static final StreamEventSerializer INSTANCE = new StreamEventSerializer();

  private static final byte RECORD = 0;
  private static final byte FAILURE = 1;
  private static final byte END = 2;

  /** What a savepoint remembers of the serializer. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<StreamEvent> {
    /** For Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }

  @Override
  public void serialize(StreamEvent event, DataOutputView target) throws IOException {
    target.writeByte(kind(event));
    target.writeUTF(event.target().runId());
    target.writeUTF(event.target().topic());
    target.writeUTF(event.target().topicId());
    if (event instanceof StreamRecord record) {
      target.writeInt(record.partition());
      target.writeLong(record.timestamp());
      Bytes.write(target, record.header());
      Bytes.write(target, record.value());
    } else if (event instanceof StreamFailure failure) {
      Bytes.writeText(target, failure.reason());
    }
  }

  @Override
  public StreamEvent deserialize(DataInputView source) throws IOException {
    byte kind = source.readByte();
    StreamTarget target = new StreamTarget(source.readUTF(), source.readUTF(), source.readUTF());
    return switch (kind) {
      case RECORD -> record(target, source);
      case FAILURE -> new StreamFailure(target, Bytes.readText(source));
      case END -> new StreamEnded(target);
      default -> throw new IOException("a stream event must be of kind 0 to 2: " + kind);
    };
  }

  private static StreamRecord record(StreamTarget target, DataInputView source) throws IOException {
    int partition = source.readInt();
    long timestamp = source.readLong();
    byte[] header = Bytes.read(source);
    return new StreamRecord(target, header, StreamGate.unwatched())
        .fill(partition, timestamp, ByteBuffer.wrap(Bytes.read(source)));
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public StreamEvent copy(StreamEvent from) {
    return from instanceof StreamRecord record ? record.copy() : from;
  }

  @Override
  public StreamEvent copy(StreamEvent from, StreamEvent reuse) {
    return copy(from);
  }

  private static byte kind(StreamEvent event) {
    if (event instanceof StreamRecord) {
      return RECORD;
    }
    return event instanceof StreamFailure ? FAILURE : END;
  }

  @Override
  public TypeSerializerSnapshot<StreamEvent> snapshotConfiguration() {
    return new Snapshot();
  }
}
