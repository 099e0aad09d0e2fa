package io.sluice.client.run;

import io.sluice.client.error.KafkaUnreachableException;
import io.sluice.schema.KafkaAccess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/**
 * Reads one topic from its beginning, as far as it goes at the time of each call. Not thread-safe.
 */
public final class LogReader implements AutoCloseable {
  private final KafkaAccess access;
  private final String topic;
  private final Consumer<byte[], byte[]> consumer;

  /** What takes each record. */
  interface Sink {
    void accept(ConsumerRecord<byte[], byte[]> message);
  }

  public LogReader(KafkaAccess access, String topic) {
    this(access, topic, consumer(access, Map.of()));
  }

  public LogReader(KafkaAccess access, String topic, Consumer<byte[], byte[]> consumer) {
    this.access = access;
    this.topic = topic;
    this.consumer = consumer;
  }

  /** A consumer without a group: positions are set explicitly, and never by a reset policy. */
  public static Consumer<byte[], byte[]> consumer(KafkaAccess access, Map<String, ?> own) {
    return new KafkaConsumer<>(
        settings(access, own), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The same, with values that stay where they were fetched. */
  public static Consumer<byte[], ByteBuffer> viewConsumer(KafkaAccess access, Map<String, ?> own) {
    return new KafkaConsumer<>(
        settings(access, own), new ByteArrayDeserializer(), new ByteBufferDeserializer());
  }

  private static Properties settings(KafkaAccess access, Map<String, ?> own) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("enable.auto.commit", "false");
    settings.put("auto.offset.reset", "none");
    settings.put("allow.auto.create.topics", "false");
    settings.put("isolation.level", "read_uncommitted");
    settings.put("fetch.max.wait.ms", "20");
    settings.putAll(own);
    return access.with(settings);
  }

  /**
   * Passes on every record between the last call and the topic's present end; none when the topic
   * does not exist.
   *
   * @throws KafkaUnreachableException if no broker answers in time
   */
  void catchUp(Duration timeout, Sink sink) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      if (consumer.assignment().isEmpty() && !assign(timeout)) {
        return;
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment(), timeout);
      while (!reached(ends)) {
        consumer.poll(Duration.ofMillis(50)).forEach(sink::accept);
        if (System.nanoTime() - deadline > 0 && !reached(ends)) {
          throw new TimeoutException(topic + " could not be read to its end");
        }
      }
    } catch (TimeoutException e) {
      throw new KafkaUnreachableException(access.bootstrapServers(), timeout, e);
    }
  }

  private boolean assign(Duration timeout) {
    List<TopicPartition> partitions = new ArrayList<>();
    consumer
        .partitionsFor(topic, timeout)
        .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return !partitions.isEmpty();
  }

  private boolean reached(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
