package io.sluice.cli.history;

import io.sluice.cli.error.BadInputException;
import io.sluice.cli.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads whole topics, from the oldest record to where they end at the time of the call. */
public final class TopicScan {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final KafkaAccess access;

  /** A scan of committed records through the given access. */
  public TopicScan(KafkaAccess access) {
    this.access = access;
  }

  /**
   * Hands every record of the topics to the reader, in order within each partition.
   *
   * @return records read
   * @throws BadInputException if a topic does not exist
   * @throws UnreachableException if no broker answers
   */
  public long read(List<String> topics, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    Map<String, Object> settings =
        Map.of(
            "isolation.level", "read_committed",
            "enable.auto.commit", "false",
            "auto.offset.reset", "none",
            "allow.auto.create.topics", "false",
            "fetch.max.wait.ms", "20",
            "default.api.timeout.ms", (int) PATIENCE.toMillis());
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            access.with(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = partitions(consumer, topics);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> left = new HashMap<>(consumer.endOffsets(partitions));
      long records = 0;
      left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
      while (!left.isEmpty()) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          reader.accept(message);
          records++;
        }
        left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
      }
      return records;
    } catch (TimeoutException e) {
      throw new UnreachableException(
          "no broker answers on " + access.bootstrapServers() + " within " + PATIENCE, e);
    }
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, List<String> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : topics) {
      List<PartitionInfo> infos = consumer.partitionsFor(topic);
      if (infos == null || infos.isEmpty()) {
        throw new BadInputException("topic does not exist: " + topic);
      }
      infos.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    return partitions;
  }
}
