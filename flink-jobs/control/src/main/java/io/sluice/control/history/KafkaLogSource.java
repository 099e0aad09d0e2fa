package io.sluice.control.history;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Committed records of control logs in Kafka. */
record KafkaLogSource(KafkaAccess access) implements LogSource {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(50);

  /** Topics whose first records are read at once: what is fetched of them is in memory. */
  private static final int AT_ONCE = 64;

  /** What is fetched of a topic whose first record is wanted; one that is larger comes alone. */
  private static final Map<String, Object> HEADS =
      Map.of("isolation.level", "read_committed", "max.partition.fetch.bytes", 16 << 10);

  @Override
  public Set<String> topics(String prefix) {
    try (Consumer<byte[], byte[]> consumer = TopicReader.consumer(access, HEADS)) {
      return topics(consumer, prefix);
    }
  }

  private Set<String> topics(Consumer<byte[], byte[]> consumer, String prefix) {
    try {
      return consumer.listTopics(PATIENCE).keySet().stream()
          .filter(topic -> topic.startsWith(prefix))
          .collect(Collectors.toSet());
    } catch (TimeoutException e) {
      throw unreachable(e);
    }
  }

  @Override
  public boolean exists(String topic) {
    try (TopicReader reader = TopicReader.committed(access)) {
      return !reader.partitions(topic, PATIENCE).isEmpty();
    }
  }

  @Override
  public void heads(Collection<String> topics, Predicate<ConsumerRecord<byte[], byte[]>> found) {
    List<String> all = List.copyOf(topics);
    try (Consumer<byte[], byte[]> consumer = TopicReader.consumer(access, HEADS)) {
      for (int from = 0; from < all.size(); from += AT_ONCE) {
        heads(consumer, all.subList(from, Math.min(all.size(), from + AT_ONCE)), found);
      }
    }
  }

  private void heads(
      Consumer<byte[], byte[]> consumer,
      List<String> topics,
      Predicate<ConsumerRecord<byte[], byte[]>> found) {
    Set<TopicPartition> open =
        topics.stream().map(topic -> new TopicPartition(topic, 0)).collect(Collectors.toSet());
    while (!open.isEmpty()) {
      try {
        read(consumer, open, found);
      } catch (TimeoutException e) {
        // A topic that is deleted while it is read answers nothing.
        Set<String> there = topics(consumer, "");
        if (!open.removeIf(partition -> !there.contains(partition.topic()))) {
          throw unreachable(e);
        }
      }
    }
  }

  /** Reads on, and takes the partitions that are done with out of those that are open. */
  private static void read(
      Consumer<byte[], byte[]> consumer,
      Set<TopicPartition> open,
      Predicate<ConsumerRecord<byte[], byte[]>> found) {
    Set<TopicPartition> fresh = new HashSet<>(open);
    fresh.removeAll(consumer.assignment());
    consumer.assign(open);
    consumer.seekToBeginning(fresh);
    Map<TopicPartition, Long> ends = consumer.endOffsets(open, PATIENCE);
    open.removeIf(partition -> Objects.requireNonNull(ends.get(partition)) == 0);
    long moved = System.nanoTime();
    while (!open.isEmpty()) {
      consumer.assign(open);
      Set<TopicPartition> done = new HashSet<>();
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        TopicPartition partition = new TopicPartition(message.topic(), message.partition());
        if (!done.contains(partition) && found.test(message)) {
          done.add(partition);
        }
        moved = System.nanoTime();
      }
      for (TopicPartition partition : open) {
        if (consumer.position(partition, PATIENCE) >= Objects.requireNonNull(ends.get(partition))) {
          done.add(partition);
        }
      }
      open.removeAll(done);
      if (System.nanoTime() - moved > PATIENCE.toNanos()) {
        throw new TimeoutException("the first records of " + open + " do not come");
      }
    }
  }

  @Override
  public void read(
      String topic, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    new TopicScan(access).read(List.of(topic), reader);
  }

  private KafkaUnreachableException unreachable(TimeoutException e) {
    return new KafkaUnreachableException(access.bootstrapServers(), PATIENCE, e);
  }
}
