package io.sluice.jobs.prepare.record;

import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends encoded dead letters to their topic. */
public final class DeadLetterSerializer implements KafkaRecordSerializationSchema<byte[]> {
  private static final long serialVersionUID = 1L;

  private final String topic;

  public DeadLetterSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      byte[] deadLetter, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(topic, deadLetter);
  }
}
