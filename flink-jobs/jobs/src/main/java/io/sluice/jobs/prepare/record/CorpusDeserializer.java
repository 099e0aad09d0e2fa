package io.sluice.jobs.prepare.record;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hands corpus records on as bytes: what they hold is decided where a refusal can be reported. */
public final class CorpusDeserializer implements KafkaRecordDeserializationSchema<CorpusRecord> {
  private static final long serialVersionUID = 1L;
  private static final byte[] TOMBSTONE = {};

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<CorpusRecord> out) {
    byte[] value = message.value() == null ? TOMBSTONE : message.value();
    out.collect(new CorpusRecord(message.topic(), message.partition(), message.offset(), value));
  }

  @Override
  public TypeInformation<CorpusRecord> getProducedType() {
    return CorpusRecordSerializer.TYPE;
  }
}
