package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StreamEventSerializerTest {
  private static final StreamRecord RECORD =
      new StreamRecord(
              new StreamTarget("a-1", "stream.a", "id"), new byte[] {1}, StreamGate.unwatched())
          .fill(3, 77, ByteBuffer.wrap(new byte[] {0, 2, 3, 4}, 1, 2));

  static List<StreamEvent> events() {
    return List.of(
        RECORD,
        new StreamFailure(RECORD.target(), "topic stream.a does not exist: " + "ü".repeat(70_000)),
        new StreamEnded(RECORD.target()));
  }

  @ParameterizedTest
  @MethodSource("events")
  void eventsComeBack(StreamEvent event) throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(64);
    StreamEventSerializer.INSTANCE.serialize(event, out);
    DataOutputSerializer copied = new DataOutputSerializer(64);
    StreamEventSerializer.INSTANCE.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copied);
    StreamEvent back =
        StreamEventSerializer.INSTANCE.deserialize(
            new DataInputDeserializer(copied.getCopyOfBuffer()));
    assertSame(back, event);
  }

  private static void assertSame(StreamEvent found, StreamEvent event) {
    if (event instanceof StreamRecord expected) {
      StreamRecord record = (StreamRecord) found;
      assertThat(record.target()).isEqualTo(expected.target());
      assertThat(record.partition()).isEqualTo(expected.partition());
      assertThat(record.timestamp()).isEqualTo(expected.timestamp());
      assertThat(record.header()).isEqualTo(expected.header());
      assertThat(record.value()).isEqualTo(expected.value());
    } else {
      assertThat(found).isEqualTo(event);
    }
  }

  @Test
  void aCopyOutlivesTheSequenceThatFollowsIt() {
    byte[] header = {1};
    StreamRecord record =
        new StreamRecord(RECORD.target(), header, StreamGate.unwatched())
            .fill(3, 77, RECORD.value());
    StreamEvent copy = StreamEventSerializer.INSTANCE.copy(record);
    header[0] = 2;
    record.fill(4, 78, ByteBuffer.allocate(9));
    assertSame(copy, RECORD);
  }

  @Test
  void flinkFindsTheSerializer() {
    assertThat(TypeInformation.of(StreamEvent.class)).isEqualTo(StreamEventTypeInfo.INSTANCE);
  }
}
