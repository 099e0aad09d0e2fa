package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

final class StreamRecordSerializerTest {
  private static final StreamRecord RECORD =
      new StreamRecord(
          new StreamTarget("a-1", "stream.a", "id"), 3, 77, new byte[] {1}, new byte[] {2, 3});

  @Test
  void recordsComeBack() throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(64);
    StreamRecordSerializer.INSTANCE.serialize(RECORD, out);
    DataOutputSerializer copied = new DataOutputSerializer(64);
    StreamRecordSerializer.INSTANCE.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copied);
    StreamRecord back =
        StreamRecordSerializer.INSTANCE.deserialize(
            new DataInputDeserializer(copied.getCopyOfBuffer()));
    assertThat(back).usingRecursiveComparison().isEqualTo(RECORD);
  }

  @Test
  void chainedOperatorsShareTheRecord() {
    assertThat(StreamRecordSerializer.INSTANCE.copy(RECORD)).isSameAs(RECORD);
  }

  @Test
  void flinkFindsTheSerializer() {
    assertThat(TypeInformation.of(StreamRecord.class)).isEqualTo(StreamRecordTypeInfo.INSTANCE);
  }
}
