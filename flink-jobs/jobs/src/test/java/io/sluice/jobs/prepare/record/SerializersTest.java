package io.sluice.jobs.prepare.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class SerializersTest {
  private static final byte[] BYTES = {1, 2, 3};

  @Test
  void corpusRecordsComeBack() throws IOException {
    assertThat(again(CorpusRecordSerializer.INSTANCE, new CorpusRecord("topic", 2, 7, BYTES)))
        .usingRecursiveComparison()
        .isEqualTo(new CorpusRecord("topic", 2, 7, BYTES));
  }

  @Test
  void outputRecordsComeBack() throws IOException {
    OutputRecord message = new OutputRecord("topic", 1, 2, OutputRecord.NO_KEY, BYTES);

    assertThat(again(OutputRecordSerializer.INSTANCE, message))
        .usingRecursiveComparison()
        .isEqualTo(message);
  }

  @Test
  void domainEventsComeBack() throws IOException {
    TokenizedDocument document =
        new TokenizedDocument(
            "java", true, -3, "\uD83D\uDE00".repeat(40_000), BYTES, new int[] {0, 7, 1});

    assertThat(again(DomainEventSerializer.INSTANCE, document))
        .usingRecursiveComparison()
        .isEqualTo(document);
    assertThat(again(DomainEventSerializer.INSTANCE, new DocumentRefused("java")))
        .isEqualTo(new DocumentRefused("java"));
    assertThat(again(DomainEventSerializer.INSTANCE, new CorpusEnded("java")))
        .isEqualTo(new CorpusEnded("java"));
  }

  @Test
  void refusesUnknownKindsOfEvents() {
    byte[] unknown = {0, 0, 0, 1, 'd', 9};

    assertThatThrownBy(
            () -> DomainEventSerializer.INSTANCE.deserialize(new DataInputDeserializer(unknown)))
        .hasMessage("unknown kind of domain event: 9");
  }

  @Test
  void typesGiveTheirSerializers() {
    assertThat(DomainEventSerializer.TYPE.createSerializer(new SerializerConfigImpl()))
        .isSameAs(DomainEventSerializer.INSTANCE);
    assertThat(DomainEventSerializer.INSTANCE.snapshotConfiguration().restoreSerializer())
        .isEqualTo(DomainEventSerializer.INSTANCE);
  }

  private static <T> T again(TypeSerializer<T> serializer, T message) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(message, out);
    DataOutputSerializer copy = new DataOutputSerializer(16);
    serializer.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copy);
    return serializer.deserialize(new DataInputDeserializer(copy.getCopyOfBuffer()));
  }
}
