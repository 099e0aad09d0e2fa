package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;

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
          new StreamTarget("a-1", "stream.a", "id"),
          3,
          77,
          new byte[] {1},
          new byte[] {2, 3},
          StreamGate.unwatched());

  static List<StreamEvent> events() {
    return List.of(
        RECORD,
        new StreamFailure(RECORD.target(), "topic stream.a does not exist: " + "ü".repeat(70_000)),
        new StreamEnd(RECORD.target()));
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
    assertThat(back).usingRecursiveComparison().ignoringFields("gate").isEqualTo(event);
  }

  @Test
  void chainedOperatorsShareTheRecord() {
    assertThat(StreamEventSerializer.INSTANCE.copy(RECORD)).isSameAs(RECORD);
  }

  @Test
  void flinkFindsTheSerializer() {
    assertThat(TypeInformation.of(StreamEvent.class)).isEqualTo(StreamEventTypeInfo.INSTANCE);
  }
}
