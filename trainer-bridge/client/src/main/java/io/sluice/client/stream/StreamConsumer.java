package io.sluice.client.stream;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * A consumer that knows where it is. One that hears nothing of what is there, or is told nothing,
 * gives way to another: some were seen to get no more answers of a broker that had come back.
 */
final class StreamConsumer implements AutoCloseable {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "max.partition.fetch.bytes",
          Integer.toString(4 << 20),
          "max.poll.records",
          "2000",
          "check.crcs",
          "true");
  private static final Duration FIRST_SILENCE = Duration.ofSeconds(2);
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(64);

  private final String servers;
  private final Supplier<Consumer<byte[], ByteBuffer>> open;
  private final LongSupplier nanoTime;
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private Consumer<byte[], ByteBuffer> consumer;
  private long quiet;
  private long silence = FIRST_SILENCE.toNanos();

  /** A consumer that reads nothing yet. */
  static StreamConsumer of(KafkaAccess access) {
    return new StreamConsumer(
        access.bootstrapServers(),
        () -> TopicReader.viewConsumer(access, SETTINGS),
        System::nanoTime);
  }

  /** A consumer of what these see. */
  StreamConsumer(
      String servers, Supplier<Consumer<byte[], ByteBuffer>> open, LongSupplier nanoTime) {
    this.servers = servers;
    this.open = open;
    this.nanoTime = nanoTime;
    this.consumer = open.get();
  }

  /** What is where now. */
  LookUps lookUps() {
    return new LookUps(servers, consumer);
  }

  /** Reads these partitions from here on, and no others. */
  void assign(Map<TopicPartition, Long> from) {
    positions.clear();
    positions.putAll(from);
    place();
  }

  private void place() {
    consumer.assign(positions.keySet());
    consumer.resume(consumer.paused());
    positions.forEach(consumer::seek);
  }

  /** Goes elsewhere in partitions that are read. */
  void seek(Map<TopicPartition, Long> to) {
    positions.putAll(to);
    to.forEach(consumer::seek);
  }

  /** Reads only the partitions for which this holds, until it is said again. */
  void read(Predicate<TopicPartition> wanted) {
    Map<Boolean, List<TopicPartition>> parts =
        positions.keySet().stream().collect(Collectors.partitioningBy(wanted));
    consumer.resume(Objects.requireNonNull(parts.get(true)));
    consumer.pause(Objects.requireNonNull(parts.get(false)));
  }

  /**
   * Waits for records.
   *
   * @param awaited partitions that something is missing of
   * @throws OffsetOutOfRangeException if what is next in a partition is not there
   */
  ConsumerRecords<byte[], ByteBuffer> poll(Duration wait, Predicate<TopicPartition> awaited) {
    long asked = nanoTime.getAsLong();
    ConsumerRecords<byte[], ByteBuffer> found;
    try {
      found = consumer.poll(wait);
    } catch (OffsetOutOfRangeException e) {
      hear();
      throw e;
    }
    for (TopicPartition partition : found.partitions()) {
      List<ConsumerRecord<byte[], ByteBuffer>> records = found.records(partition);
      positions.put(partition, records.get(records.size() - 1).offset() + 1);
    }
    if (found.isEmpty()) {
      quiet += nanoTime.getAsLong() - asked;
      listen(awaited);
    } else {
      hear();
    }
    return found;
  }

  private void hear() {
    quiet = 0;
    silence = FIRST_SILENCE.toNanos();
  }

  /** Time in which nobody polled says nothing of the consumer. */
  private void listen(Predicate<TopicPartition> awaited) {
    if (quiet <= silence) {
      return;
    }
    if (misses(positions.keySet().stream().filter(awaited).collect(Collectors.toSet()))) {
      consumer.close();
      consumer = open.get();
      place();
    }
    quiet = 0;
    silence = Math.min(2 * silence, LONGEST_SILENCE.toNanos());
  }

  /** Whether there is more of one of these than came, or nobody says. */
  private boolean misses(Set<TopicPartition> partitions) {
    try {
      return !hasRead(consumer.endOffsets(partitions, FIRST_SILENCE), partitions::contains);
    } catch (TimeoutException e) {
      return true;
    }
  }

  /** Whether the broker has told of more than has come; asks nobody. */
  boolean isBehind(TopicPartition partition) {
    return consumer.currentLag(partition).orElse(0) > 0;
  }

  /** Whether everything of the awaited partitions before these offsets has come. */
  boolean hasRead(Map<TopicPartition, Long> ends, Predicate<TopicPartition> awaited) {
    return ends.entrySet().stream()
        .filter(end -> awaited.test(end.getKey()))
        .allMatch(end -> position(end.getKey()) >= end.getValue());
  }

  /** Offset of what comes next. */
  long position(TopicPartition partition) {
    return Objects.requireNonNull(positions.get(partition));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
