package io.sluice.control.history;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads whole topics, from the oldest record to where they end at the time of the call. What is
 * removed from a topic while it is read is passed over: offsets jump there.
 */
public final class TopicScan {
  private static final Logger LOG = LoggerFactory.getLogger(TopicScan.class);
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
    return scan(consumer -> read(consumer, ends(consumer, topics), reader));
  }

  /**
   * Hands on a topic's records of one type; what is none is the jobs' to refuse, not a reader's.
   */
  public <T extends SpecificRecordBase> void read(Class<T> type, String topic, Consumer<T> reader) {
    read(
        List.of(topic),
        message -> {
          T found;
          try {
            found = WireCodec.decode(type, message.value());
          } catch (WireFormatException e) {
            LOG.debug(
                "offset {} of {} is passed over: {}", message.offset(), topic, e.getMessage());
            return;
          }
          reader.accept(found);
        });
  }

  /** The same up to the given ends, whatever has been added since they were taken. */
  public long read(
      Map<TopicPartition, Long> ends, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    return scan(consumer -> read(consumer, ends, reader));
  }

  /**
   * Where each partition of the topics ends now.
   *
   * @throws BadInputException if a topic does not exist
   * @throws UnreachableException if no broker answers
   */
  public Map<TopicPartition, Long> ends(List<String> topics) {
    return scan(consumer -> ends(consumer, topics));
  }

  private <T> T scan(Function<KafkaConsumer<byte[], byte[]>, T> scan) {
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
      return scan.apply(consumer);
    } catch (TimeoutException e) {
      throw new UnreachableException(
          "no broker answers on " + access.bootstrapServers() + " within " + PATIENCE, e);
    }
  }

  private static Map<TopicPartition, Long> ends(
      KafkaConsumer<byte[], byte[]> consumer, List<String> topics) {
    List<TopicPartition> partitions = partitions(consumer, topics);
    // The client warns of every partition whose end is asked for while it is not assigned.
    consumer.assign(partitions);
    return Map.copyOf(consumer.endOffsets(partitions));
  }

  private static long read(
      KafkaConsumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> ends,
      Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    consumer.assign(ends.keySet());
    consumer.seekToBeginning(ends.keySet());
    Map<TopicPartition, Long> left = new HashMap<>(ends);
    long records = 0;
    left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
    while (!left.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> message : poll(consumer)) {
        if (message.offset() < ends.getOrDefault(partition(message), 0L)) {
          reader.accept(message);
          records++;
        }
      }
      left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
    }
    return records;
  }

  private static ConsumerRecords<byte[], byte[]> poll(KafkaConsumer<byte[], byte[]> consumer) {
    try {
      return consumer.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      consumer.seekToBeginning(e.partitions());
      return ConsumerRecords.empty();
    }
  }

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> message) {
    return new TopicPartition(message.topic(), message.partition());
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
