package io.sluice.client.stream;

import io.sluice.schema.KafkaUnreachableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Asks what lies where in topics. Each method throws {@link KafkaUnreachableException} if no broker
 * answers in time.
 */
record LookUps(String servers, Consumer<byte[], ByteBuffer> consumer) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Number of a topic's partitions; 0 when it does not exist. */
  int partitions(String topic) {
    return asked(() -> consumer.partitionsFor(topic, PATIENCE)).size();
  }

  /** Where partitions end now. */
  Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    return asked(() -> consumer.endOffsets(partitions, PATIENCE));
  }

  /** Where partitions begin now. */
  Map<TopicPartition, Long> starts(Collection<TopicPartition> partitions) {
    return asked(() -> consumer.beginningOffsets(partitions, PATIENCE));
  }

  /** The first record at or after a timestamp, of the partitions that have one. */
  Map<TopicPartition, Long> firstSince(long timestamp, Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, timestamp));
    Map<TopicPartition, Long> found = new HashMap<>();
    Map<TopicPartition, OffsetAndTimestamp> told =
        asked(() -> consumer.offsetsForTimes(times, PATIENCE));
    told.forEach(
        (partition, first) -> {
          if (first != null) {
            found.put(partition, first.offset());
          }
        });
    return found;
  }

  private <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (TimeoutException e) {
      throw new KafkaUnreachableException(servers, PATIENCE, e);
    }
  }
}
