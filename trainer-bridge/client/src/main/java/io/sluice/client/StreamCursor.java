package io.sluice.client;

import io.sluice.schema.StreamHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Moves over the partitions of one stream topic and hands their records to an assembler. */
final class StreamCursor implements AutoCloseable {
  private static final int MAX_POLLS = 100;

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final List<TopicPartition> partitions;
  private final Set<TopicPartition> atTrimmedStart = new HashSet<>();
  private final long bufferBytes;

  StreamCursor(
      Consumer<byte[], byte[]> consumer, String topic, int partitionCount, long bufferBytes) {
    this.consumer = consumer;
    this.topic = topic;
    this.bufferBytes = bufferBytes;
    int found = consumer.partitionsFor(topic).size();
    if (found != partitionCount) {
      throw new StreamMissingException(topic, partitionCount, found);
    }
    this.partitions = partitions(topic, partitionCount);
    consumer.assign(partitions);
  }

  private static List<TopicPartition> partitions(String topic, int count) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      partitions.add(new TopicPartition(topic, p));
    }
    return partitions;
  }

  /** Goes to the first record of a batch in every partition: their timestamps are batches. */
  void seek(long batch) {
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, batch));
    Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
    consumer.resume(consumer.paused());
    atTrimmedStart.clear();
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp first = found.get(partition);
      long offset = first != null ? first.offset() : ends.get(partition);
      consumer.seek(partition, offset);
      if (offset > 0 && offset == starts.get(partition)) {
        atTrimmedStart.add(partition);
      }
    }
  }

  /**
   * Waits for records and offers them.
   *
   * @throws BatchNoLongerRetainedException if records that the assembler needs were removed
   */
  void poll(Duration wait, StreamAssembler assembler) {
    holdBack(assembler);
    ConsumerRecords<byte[], byte[]> messages;
    try {
      messages = consumer.poll(wait);
    } catch (OffsetOutOfRangeException e) {
      throw noLongerRetained(assembler);
    }
    for (ConsumerRecord<byte[], byte[]> message : messages) {
      StreamHeader header = header(message);
      TopicPartition partition = partitions.get(message.partition());
      if (atTrimmedStart.remove(partition)
          && header.timeline() == assembler.timeline()
          && header.index() > assembler.expected(message.partition())) {
        throw noLongerRetained(assembler);
      }
      assembler.offer(message.partition(), header, message.value());
    }
  }

  private void holdBack(StreamAssembler assembler) {
    if (assembler.bufferedBytes() <= bufferBytes) {
      consumer.resume(consumer.paused());
      return;
    }
    for (TopicPartition partition : partitions) {
      if (assembler.awaits(partition.partition())) {
        consumer.resume(List.of(partition));
      } else {
        consumer.pause(List.of(partition));
      }
    }
  }

  private static StreamHeader header(ConsumerRecord<byte[], byte[]> message) {
    Header header = message.headers().lastHeader(StreamHeader.KEY);
    if (header == null || header.value() == null) {
      throw new StreamCorruptException(
          "stream partition "
              + message.partition()
              + ", offset "
              + message.offset()
              + ": the record has no header '"
              + StreamHeader.KEY
              + "'");
    }
    return StreamHeader.decode(header.value());
  }

  /** Offsets that the topic ends at now. */
  Map<TopicPartition, Long> ends() {
    return consumer.endOffsets(partitions);
  }

  /** Whether every partition that the assembler waits for has been read up to these offsets. */
  boolean hasRead(Map<TopicPartition, Long> ends, StreamAssembler assembler) {
    return partitions.stream()
        .filter(partition -> assembler.awaits(partition.partition()))
        .allMatch(partition -> consumer.position(partition) >= ends.get(partition));
  }

  private BatchNoLongerRetainedException noLongerRetained(StreamAssembler assembler) {
    return new BatchNoLongerRetainedException(topic, assembler.lastBatch() + 1, oldestBatch());
  }

  /** First batch of which every partition still has all sequences. */
  private long oldestBatch() {
    consumer.resume(consumer.paused());
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> oldest = new HashMap<>();
    for (TopicPartition partition : partitions) {
      if (consumer.position(partition) >= ends.get(partition)) {
        oldest.put(partition, 0L);
      }
    }
    for (int polls = 0; oldest.size() < partitions.size() && polls < MAX_POLLS; polls++) {
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(100))) {
        oldest.computeIfAbsent(
            partitions.get(message.partition()), p -> firstWholeBatch(header(message)));
      }
    }
    return oldest.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The batch of a partition's first record, or the next when the record is not its first. */
  private long firstWholeBatch(StreamHeader first) {
    boolean whole = first.index() - first.firstIndex() < partitions.size();
    return whole ? first.batch() : first.batch() + 1;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
