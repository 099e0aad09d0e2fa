package io.sluice.lab.bench.mix;

import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.flink.JobHandle;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * What Flink itself makes of it: its Kafka source chained to its Kafka sink.
 *
 * @param producer its settings
 * @param from topics that it reads
 * @param partitions of the topic that it writes
 */
record FlinkCopy(String name, Properties producer, Stage stage, List<String> from, int partitions)
    implements Copy {

  /** With the settings that connectors and clients come with. */
  static FlinkCopy plain(Stage stage, List<TopicPartition> from, int partitions) {
    Properties defaults = stage.kafka().with(Map.of());
    return new FlinkCopy("Flink copy", defaults, stage, topics(from), partitions);
  }

  /** With the settings that the streams' producers have. */
  static FlinkCopy tuned(Stage stage, List<TopicPartition> from, int partitions) {
    Properties producer = BenchTopics.producer(stage.kafka());
    return new FlinkCopy("tuned Flink copy", producer, stage, topics(from), partitions);
  }

  private static List<String> topics(List<TopicPartition> partitions) {
    return partitions.stream().map(TopicPartition::topic).distinct().toList();
  }

  @Override
  public Running start(int number) {
    String topic = stage.kafka().topics().prefix() + "flink-copy-" + number;
    BenchTopics.create(stage.kafka(), topic, partitions);
    JobHandle job = stage.flink().submit("flink-copy-" + number, env -> build(env, topic));
    return new Running(
        BenchTopics.partitions(topic, partitions),
        () -> {
          job.cancel();
          BenchTopics.delete(stage.kafka(), List.of(topic));
        });
  }

  private void build(StreamExecutionEnvironment env, String topic) {
    KafkaAccess kafka = stage.kafka();
    KafkaSource<byte[]> source =
        KafkaSource.<byte[]>builder()
            .setProperties(kafka.with(Map.of("isolation.level", "read_committed")))
            .setTopics(from)
            .setGroupId(kafka.topics().prefix() + "flink-copy")
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(
                KafkaRecordDeserializationSchema.valueOnly(ByteArrayDeserializer.class))
            .build();
    KafkaSink<byte[]> sink =
        KafkaSink.<byte[]>builder()
            .setKafkaProducerConfig(producer)
            .setRecordSerializer(new InTurn(topic, partitions))
            .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
            .build();
    env.fromSource(source, WatermarkStrategy.noWatermarks(), "blocks").sinkTo(sink);
  }

  /** Sends each record to the next partition. */
  private static final class InTurn implements KafkaRecordSerializationSchema<byte[]> {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final int partitions;
    private int turn;

    InTurn(String topic, int partitions) {
      this.topic = topic;
      this.partitions = partitions;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        byte[] block, KafkaSinkContext context, @Nullable Long timestamp) {
      turn = (turn + 1) % partitions;
      return new ProducerRecord<>(topic, turn, null, null, block);
    }
  }
}
