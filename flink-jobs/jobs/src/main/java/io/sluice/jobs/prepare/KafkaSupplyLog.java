package io.sluice.jobs.prepare;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The dataset's supply topic, read once from its beginning.
 *
 * <p>An earlier execution may have left transactions open. They are aborted by the sinks of the job
 * that starts, so the read waits until the end as of now can be passed. Nobody moves that end
 * meanwhile: supply is written before a checkpoint, and none is taken until every task has started.
 */
record KafkaSupplyLog(Duration patience) implements SupplyLog {
  private static final Duration POLL = Duration.ofMillis(100);

  @Override
  public Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec) {
    TopicPartition partition = new TopicPartition(kafka.topics().supply(spec.getName()), 0);
    long end = end(kafka, partition);
    Map<String, Map<Integer, CommittedSupply>> supply = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka, "read_committed")) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long start = System.nanoTime();
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          Supply last = WireCodec.decode(Supply.class, message.value());
          supply
              .computeIfAbsent(last.getDomain(), domain -> new HashMap<>())
              .put(last.getLane(), CommittedSupply.of(last, spec));
        }
        requireInTime(partition, consumer.position(partition), end, System.nanoTime() - start);
      }
    }
    Map<String, CommittedSupply> domains = new HashMap<>();
    supply.forEach(
        (domain, lanes) ->
            domains.put(
                domain, lanes.values().stream().reduce(CommittedSupply::and).orElseThrow()));
    return domains;
  }

  private static long end(KafkaAccess kafka, TopicPartition partition) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka, "read_uncommitted")) {
      return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(KafkaAccess kafka, String isolation) {
    return new KafkaConsumer<>(
        kafka.with(Map.of("isolation.level", isolation, "enable.auto.commit", "false")),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private void requireInTime(TopicPartition partition, long position, long end, long nanos) {
    if (position < end && nanos > patience.toNanos()) {
      throw new IllegalStateException(
          String.format(
              "%s could be read up to offset %d of %d within %s:"
                  + " an open transaction of an earlier execution is in the way",
              partition.topic(), position, end, patience));
    }
  }
}
