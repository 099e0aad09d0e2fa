package io.sluice.jobs.mix.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Bytes of a {@link StreamEvent} between tasks that are not chained; nothing stores them. */
public final class StreamEventSerializer extends TypeSerializerSingleton<StreamEvent> {
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
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public StreamEvent createInstance() {
    return new StreamRecord(
        new StreamTarget("", "", ""), 0, 0, new byte[0], new byte[0], StreamGate.unwatched());
  }

  @Override
  public StreamEvent copy(StreamEvent from) {
    return from;
  }

  @Override
  public StreamEvent copy(StreamEvent from, StreamEvent reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
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
      writeBytes(record.header(), target);
      writeBytes(record.value(), target);
    } else if (event instanceof StreamFailure failure) {
      writeBytes(failure.reason().getBytes(UTF_8), target);
    }
  }

  @Override
  public StreamEvent deserialize(DataInputView source) throws IOException {
    byte kind = source.readByte();
    StreamTarget target = new StreamTarget(source.readUTF(), source.readUTF(), source.readUTF());
    return switch (kind) {
      case RECORD ->
          new StreamRecord(
              target,
              source.readInt(),
              source.readLong(),
              readBytes(source),
              readBytes(source),
              StreamGate.unwatched());
      case FAILURE -> new StreamFailure(target, new String(readBytes(source), UTF_8));
      case END -> new StreamEnd(target);
      default -> throw new IOException("a stream event must be of kind 0 to 2: " + kind);
    };
  }

  private static byte kind(StreamEvent event) {
    if (event instanceof StreamRecord) {
      return RECORD;
    }
    return event instanceof StreamFailure ? FAILURE : END;
  }

  @Override
  public StreamEvent deserialize(StreamEvent reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<StreamEvent> snapshotConfiguration() {
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
