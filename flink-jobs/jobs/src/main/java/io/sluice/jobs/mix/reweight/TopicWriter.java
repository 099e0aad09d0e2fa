package io.sluice.jobs.mix.reweight;

import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes records as they are to one topic; to its partition 0, or to that of their key. */
record TopicWriter(String topic, boolean onePartition)
    implements KafkaRecordSerializationSchema<KeyedRecord> {
  /** Everything in one order. */
  static TopicWriter inOneOrder(String topic) {
    return new TopicWriter(topic, true);
  }

  /** In order for each key. */
  static TopicWriter byKey(String topic) {
    return new TopicWriter(topic, false);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      KeyedRecord message, KafkaSinkContext context, @Nullable Long timestamp) {
    byte[] key = message.key.isEmpty() ? null : message.key.getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(topic, onePartition ? 0 : null, key, message.value);
  }
}
