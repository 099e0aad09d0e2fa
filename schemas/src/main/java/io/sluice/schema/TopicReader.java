package io.sluice.schema;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/**
 * Reads topics from their oldest record on, each time as far as they go then. What is removed from
 * a topic meanwhile is passed over: offsets jump there. Reading takes as long as it gets on; every
 * method throws {@link KafkaUnreachableException} when nothing comes for the given patience. Not
 * thread-safe.
 */
public final class TopicReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);

  private final KafkaAccess access;
  private final Consumer<byte[], byte[]> consumer;

  /** What takes each record, in order within each partition. */
  @FunctionalInterface
  public interface Sink {
    /** Takes the next record. */
    void accept(ConsumerRecord<byte[], byte[]> message);
  }

  /** A reader of whatever its consumer sees, which it closes. */
  public TopicReader(KafkaAccess access, Consumer<byte[], byte[]> consumer) {
    this.access = access;
    this.consumer = consumer;
  }

  /** A reader of what is written, transactions that are open or aborted included. */
  public static TopicReader uncommitted(KafkaAccess access) {
    return new TopicReader(access, consumer(access, Map.of()));
  }

  /** A reader of what is committed. */
  public static TopicReader committed(KafkaAccess access) {
    return new TopicReader(access, consumer(access, Map.of("isolation.level", "read_committed")));
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

  /** The topic's partitions; none when it does not exist. */
  public List<TopicPartition> partitions(String topic, Duration patience) {
    try {
      return consumer.partitionsFor(topic, patience).stream()
          .map(info -> new TopicPartition(topic, info.partition()))
          .toList();
    } catch (TimeoutException e) {
      throw unreachable(patience, e);
    }
  }

  /** Where partitions end now. */
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions, Duration patience) {
    try {
      // The client warns of every partition whose end is asked for while it is not assigned.
      assign(partitions);
      return Map.copyOf(consumer.endOffsets(partitions, patience));
    } catch (TimeoutException e) {
      throw unreachable(patience, e);
    }
  }

  /**
   * Passes on every record of a topic between the last call and its present end. A topic that has
   * lost records which were passed on is read from its beginning again.
   */
  public void catchUp(String topic, Duration patience, Sink sink) {
    Collection<TopicPartition> assigned = consumer.assignment();
    Collection<TopicPartition> all = assigned.isEmpty() ? partitions(topic, patience) : assigned;
    if (!all.isEmpty()) {
      Map<TopicPartition, Long> ends = ends(all, patience);
      assigned.forEach(place -> requireTail(place, ends));
      readTo(ends, patience, sink);
    }
  }

  private void requireTail(TopicPartition place, Map<TopicPartition, Long> ends) {
    if (consumer.position(place) > ends.getOrDefault(place, Long.MAX_VALUE)) {
      consumer.seekToBeginning(List.of(place));
    }
  }

  /** Passes on every record from where the last call ended, and some that came after the ends. */
  public void readTo(Map<TopicPartition, Long> ends, Duration patience, Sink sink) {
    try {
      assign(ends.keySet());
      long moved = System.nanoTime();
      for (long left = left(ends); left > 0; ) {
        poll(POLL).forEach(sink::accept);
        long now = left(ends);
        if (now < left) {
          moved = System.nanoTime();
        } else if (System.nanoTime() - moved > patience.toNanos()) {
          throw new TimeoutException(now + " offsets of " + topics(ends) + " do not come");
        }
        left = now;
      }
    } catch (TimeoutException e) {
      throw unreachable(patience, e);
    }
  }

  /** Goes to a record of a topic of one partition, which is the next to be passed on. */
  public void seek(String topic, long offset) {
    TopicPartition log = new TopicPartition(topic, 0);
    assign(List.of(log));
    consumer.seek(log, offset);
  }

  /** Goes to the oldest record of a topic of one partition. */
  public void seekToStart(String topic) {
    TopicPartition log = new TopicPartition(topic, 0);
    assign(List.of(log));
    consumer.seekToBeginning(List.of(log));
  }

  /**
   * Where a run's own log, which exists, begins for who wants what it has come to. Leaves this
   * reader anywhere in the log.
   */
  public LogBeginning newest(String runId, Duration patience) {
    return before(runId, Long.MAX_VALUE, patience);
  }

  /** The same for who wants what follows a batch. */
  @SuppressWarnings("resource") // It would close the consumer.
  public LogBeginning before(String runId, long batch, Duration patience) {
    LogBeginnings beginnings = new LogBeginnings(access, consumer);
    Optional<LogBeginning> found = beginnings.before(runId, batch, patience);
    consumer.resume(consumer.assignment());
    return found.orElseGet(() -> LogBeginning.start(0));
  }

  /** A record of a topic of one partition; empty if it is gone. */
  public Optional<ConsumerRecord<byte[], byte[]>> at(String topic, long offset, Duration patience) {
    TopicPartition log = new TopicPartition(topic, 0);
    if (ends(List.of(log), patience).getOrDefault(log, 0L) <= offset) {
      return Optional.empty();
    }
    seek(topic, offset);
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    readTo(Map.of(log, offset + 1), patience, found::add);
    return found.stream().filter(message -> message.offset() == offset).findFirst();
  }

  /**
   * Passes on what comes next within a time of what was read before, as soon as anything does;
   * nothing where no broker answers.
   */
  public void await(Duration wait, Sink sink) {
    poll(wait).forEach(sink::accept);
  }

  private static List<String> topics(Map<TopicPartition, Long> ends) {
    return ends.keySet().stream().map(TopicPartition::topic).distinct().toList();
  }

  private void assign(Collection<TopicPartition> partitions) {
    if (!consumer.assignment().containsAll(partitions)) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
    }
  }

  private long left(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
        .sum();
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration wait) {
    try {
      return consumer.poll(wait);
    } catch (OffsetOutOfRangeException e) {
      consumer.seekToBeginning(e.partitions());
      return ConsumerRecords.empty();
    }
  }

  private KafkaUnreachableException unreachable(Duration patience, TimeoutException e) {
    return new KafkaUnreachableException(access.bootstrapServers(), patience, e);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
