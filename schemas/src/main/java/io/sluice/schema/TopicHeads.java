package io.sluice.schema;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads the first records of topics that have one partition, each only until what is looked for is
 * found. Every method throws {@link KafkaUnreachableException} when nothing comes for the given
 * patience. Not thread-safe.
 */
public final class TopicHeads implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);

  /** What is fetched of each topic, and of all at once; a record that is larger comes alone. */
  private static final Map<String, Object> SETTINGS =
      Map.of("max.partition.fetch.bytes", 32 << 10, "fetch.max.bytes", 4 << 20);

  private final KafkaAccess access;
  private final Consumer<byte[], byte[]> consumer;

  /** A reader of whatever its consumer sees, which it closes. */
  public TopicHeads(KafkaAccess access, Consumer<byte[], byte[]> consumer) {
    this.access = access;
    this.consumer = consumer;
  }

  /** A reader of what is written. */
  public static TopicHeads of(KafkaAccess access) {
    return new TopicHeads(access, TopicReader.consumer(access, SETTINGS));
  }

  /** Names of the topics that begin so. */
  public Set<String> topics(String prefix, Duration patience) {
    try {
      return consumer.listTopics(patience).keySet().stream()
          .filter(topic -> topic.startsWith(prefix))
          .collect(Collectors.toSet());
    } catch (TimeoutException e) {
      throw new KafkaUnreachableException(access.bootstrapServers(), patience, e);
    }
  }

  /**
   * Hands on the records of each topic, from its oldest on, until one is the last that is wanted or
   * the topic ends; those of different topics in any order. A topic that goes meanwhile has no
   * more.
   *
   * @param last whether a record is the last that is wanted of its topic
   */
  public void read(
      Collection<String> topics,
      Duration patience,
      Predicate<ConsumerRecord<byte[], byte[]>> last) {
    Set<TopicPartition> open =
        topics.stream()
            .map(topic -> new TopicPartition(topic, 0))
            .collect(Collectors.toCollection(HashSet::new));
    consumer.assign(open);
    consumer.seekToBeginning(open);
    while (!open.isEmpty()) {
      try {
        readOn(open, patience, last);
      } catch (TimeoutException e) {
        // Nothing answers for a topic that was deleted.
        Set<String> there = topics("", patience);
        if (!open.removeIf(partition -> !there.contains(partition.topic()))) {
          throw new KafkaUnreachableException(access.bootstrapServers(), patience, e);
        }
        consumer.assign(open);
      }
    }
  }

  /** Reads the open topics on, and takes out those that are done. */
  private void readOn(
      Set<TopicPartition> open, Duration patience, Predicate<ConsumerRecord<byte[], byte[]>> last) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(open, patience);
    long moved = System.nanoTime();
    while (takeOutRead(open, ends, patience)) {
      boolean comes = false;
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        comes = true;
        TopicPartition partition = new TopicPartition(message.topic(), message.partition());
        if (open.contains(partition) && last.test(message)) {
          open.remove(partition);
        }
      }
      if (comes) {
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > patience.toNanos()) {
        throw new TimeoutException("the first records of " + open + " do not come");
      }
    }
  }

  /** Whether any is left to be read to its end. */
  private boolean takeOutRead(
      Set<TopicPartition> open, Map<TopicPartition, Long> ends, Duration patience) {
    open.removeIf(
        partition ->
            consumer.position(partition, patience) >= Objects.requireNonNull(ends.get(partition)));
    if (consumer.assignment().size() > open.size()) {
      consumer.assign(open); // those that stay are read on from where they are
    }
    return !open.isEmpty();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
