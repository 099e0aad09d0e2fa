package io.sluice.jobs.write;

import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetIdentifier;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacetProvider;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends output records where they say. The list of topics is what the sink searches for
 * transactions that an earlier execution left open.
 */
public record OutputSerializer(List<String> topics)
    implements KafkaRecordSerializationSchema<OutputRecord>, KafkaDatasetFacetProvider {
  /** Copies the topics. */
  public OutputSerializer {
    topics = List.copyOf(topics);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      OutputRecord message, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(
        message.topic(),
        message.partition(),
        message.timestamp(),
        message.key().length == 0 ? null : message.key(),
        message.value());
  }

  @Override
  public Optional<KafkaDatasetFacet> getKafkaDatasetFacet() {
    return Optional.of(
        new DefaultKafkaDatasetFacet(DefaultKafkaDatasetIdentifier.ofTopics(topics)));
  }
}
