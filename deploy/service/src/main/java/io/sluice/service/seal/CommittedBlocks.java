package io.sluice.service.seal;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/** Reads the committed blocks of all lanes of a dataset's domains, from what is sealed on. */
final class CommittedBlocks implements AutoCloseable {
  private static final Map<String, Object> SETTINGS =
      Map.of(
          "isolation.level",
          "read_committed",
          "fetch.max.wait.ms",
          500,
          "fetch.max.bytes",
          8 << 20);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, LaneBuffer> lanes = new HashMap<>();
  private final LongSupplier nanos;

  CommittedBlocks(
      KafkaAccess access, DatasetSpec spec, List<LaneBuffer> buffers, LongSupplier nanos) {
    this.nanos = nanos;
    for (LaneBuffer buffer : buffers) {
      String topic = access.topics().blocks(spec.getName(), buffer.domain());
      lanes.put(new TopicPartition(topic, buffer.lane()), buffer);
    }
    this.consumer = TopicReader.consumer(access, SETTINGS);
    try {
      seek();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Each block has an offset, and there are others between: none lies before its ordinal. */
  private void seek() {
    Set<TopicPartition> all = lanes.keySet();
    consumer.assign(all);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(all);
    Map<TopicPartition, Long> ends = consumer.endOffsets(all);
    lanes.forEach(
        (place, lane) -> {
          long from = Math.max(begins.getOrDefault(place, 0L), lane.first());
          consumer.seek(place, Math.min(from, ends.getOrDefault(place, 0L)));
        });
  }

  /**
   * Passes on to the lanes what has come.
   *
   * @return whether anything has
   */
  boolean poll(Duration wait) {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(wait);
    long now = nanos.getAsLong();
    for (TopicPartition place : records.partitions()) {
      LaneBuffer lane = lanes.get(place);
      if (lane != null) {
        pass(place, records.records(place), lane, now);
      }
    }
    return !records.isEmpty();
  }

  private void pass(
      TopicPartition place,
      List<ConsumerRecord<byte[], byte[]>> messages,
      LaneBuffer lane,
      long now) {
    long jump = 0;
    for (ConsumerRecord<byte[], byte[]> message : messages) {
      jump = lane.take(message, now);
    }
    if (jump > 0) {
      consumer.seek(place, messages.get(messages.size() - 1).offset() + jump);
    }
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}
