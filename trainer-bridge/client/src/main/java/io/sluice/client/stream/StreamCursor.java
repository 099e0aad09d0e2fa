package io.sluice.client.stream;

import io.sluice.client.error.BatchNoLongerRetainedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Moves over partitions of one stream topic and hands their records to an assembler. */
final class StreamCursor implements AutoCloseable {
  private static final int MAX_POLLS = 100;

  private final StreamConsumer consumer;
  private final String topic;
  private final int partitionCount;
  private final long bufferBytes;
  private final boolean keepsAll;
  private final Set<TopicPartition> atTrimmedStart = new HashSet<>();
  private List<TopicPartition> partitions = List.of();

  /**
   * A cursor that is nowhere yet.
   *
   * @param keepsAll whether nearly all that is read is kept, so that it may stay where it was
   *     fetched; otherwise what is kept is copied, not to hold on to the rest
   */
  StreamCursor(
      StreamConsumer consumer,
      String topic,
      int partitionCount,
      long bufferBytes,
      boolean keepsAll) {
    this.consumer = consumer;
    this.topic = topic;
    this.partitionCount = partitionCount;
    this.bufferBytes = bufferBytes;
    this.keepsAll = keepsAll;
    int found = consumer.lookUps().partitions(topic);
    if (found != partitionCount) {
      throw new StreamMissingException(topic, partitionCount, found);
    }
  }

  private List<TopicPartition> partitions(Collection<Integer> numbers) {
    return numbers.stream().map(p -> new TopicPartition(topic, p)).toList();
  }

  /**
   * Goes to the first record of a batch in every partition that is read: their timestamps are
   * batches, so this takes one look-up for each.
   */
  void seek(long batch, Collection<Integer> reads) {
    List<TopicPartition> wanted = partitions(reads);
    Map<TopicPartition, Long> places = places(batch, wanted);
    partitions = wanted;
    consumer.assign(places);
  }

  /** Where to begin with a batch; remembers where the record before that place was removed. */
  private Map<TopicPartition, Long> places(long batch, Collection<TopicPartition> among) {
    Map<TopicPartition, Long> ends = consumer.lookUps().ends(among);
    Map<TopicPartition, Long> found = consumer.lookUps().firstSince(batch, among);
    // Asked last: what is removed while this looks does not go unnoticed.
    Map<TopicPartition, Long> starts = consumer.lookUps().starts(among);
    Map<TopicPartition, Long> places = new HashMap<>();
    atTrimmedStart.removeAll(among);
    for (TopicPartition partition : among) {
      long offset = found.getOrDefault(partition, at(ends, partition));
      long start = at(starts, partition);
      places.put(partition, Math.max(offset, start));
      if (start > 0 && offset <= start) {
        atTrimmedStart.add(partition);
      }
    }
    return places;
  }

  /**
   * Waits for records and offers them.
   *
   * @throws BatchNoLongerRetainedException if records that the assembler needs were removed
   * @throws KafkaUnreachableException if records were removed, and nobody says what is left; the
   *     next call asks again
   */
  void poll(Duration wait, StreamAssembler assembler) {
    holdBack(assembler);
    ConsumerRecords<byte[], ByteBuffer> messages;
    try {
      messages = consumer.poll(wait, partition -> assembler.awaits(partition.partition()));
    } catch (OffsetOutOfRangeException e) {
      // Removed where this was; whether that was needed, the first record that is left will show.
      consumer.seek(places(assembler.lastBatch() + 1, e.partitions()));
      return;
    }
    for (TopicPartition partition : messages.partitions()) {
      for (ConsumerRecord<byte[], ByteBuffer> message : messages.records(partition)) {
        offer(partition, message, assembler);
      }
    }
  }

  private void offer(
      TopicPartition partition,
      ConsumerRecord<byte[], ByteBuffer> message,
      StreamAssembler assembler) {
    StreamHeader header = header(message);
    int number = partition.partition();
    if (!atTrimmedStart.isEmpty()
        && atTrimmedStart.remove(partition)
        && header.timeline() >= assembler.timeline(number)
        && header.timeline() <= assembler.timeline()
        && header.index() > assembler.expected(number)) {
      throw noLongerRetained(assembler);
    }
    assembler.offer(number, header, value(message));
  }

  private ByteBuffer value(ConsumerRecord<byte[], ByteBuffer> message) {
    ByteBuffer fetched = message.value();
    if (fetched == null) {
      return ByteBuffer.allocate(0);
    }
    return keepsAll
        ? fetched
        : ByteBuffer.allocate(fetched.remaining()).put(fetched.duplicate()).flip();
  }

  private void holdBack(StreamAssembler assembler) {
    boolean full = assembler.bufferedBytes() > bufferBytes;
    consumer.read(partition -> !full || assembler.awaits(partition.partition()));
  }

  private static StreamHeader header(ConsumerRecord<byte[], ByteBuffer> message) {
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

  private static long at(Map<TopicPartition, Long> offsets, TopicPartition partition) {
    return Objects.requireNonNull(offsets.get(partition));
  }

  /** Offsets that the topic ends at now. */
  Map<TopicPartition, Long> ends() {
    return consumer.lookUps().ends(partitions);
  }

  /** Whether the topic was deleted. */
  boolean isGone() {
    return consumer.lookUps().partitions(topic) == 0;
  }

  /** Whether every partition that the assembler waits for has been read up to these offsets. */
  boolean hasRead(Map<TopicPartition, Long> ends, StreamAssembler assembler) {
    return consumer.hasRead(ends, partition -> assembler.awaits(partition.partition()));
  }

  /**
   * Fails if what the assembler waits for was removed.
   *
   * @throws BatchNoLongerRetainedException naming the oldest batch that is left
   */
  void requireRetained(StreamAssembler assembler) {
    if (awaitsTrimmed(assembler)) {
      throw noLongerRetained(assembler);
    }
  }

  /**
   * Whether the broker has told of something that the assembler waits for and that has not come.
   */
  boolean misses(StreamAssembler assembler) {
    return partitions.stream()
        .anyMatch(each -> assembler.awaits(each.partition()) && consumer.isBehind(each));
  }

  /** What to tell of the topic while the assembler waits; may be empty. */
  String note(StreamAssembler assembler) {
    return awaitsTrimmed(assembler)
        ? "; " + topic + " has no record left, so the batch may have been removed from it"
        : "";
  }

  /** Whether nothing has come since the head of a partition was removed up to where this is. */
  private boolean awaitsTrimmed(StreamAssembler assembler) {
    return atTrimmedStart.stream().anyMatch(each -> assembler.awaits(each.partition()));
  }

  private BatchNoLongerRetainedException noLongerRetained(StreamAssembler assembler) {
    return new BatchNoLongerRetainedException(topic, assembler.lastBatch() + 1, oldestBatch());
  }

  /** First batch of which every partition of the stream still has all sequences. */
  private long oldestBatch() {
    List<TopicPartition> all = partitions(IntStream.range(0, partitionCount).boxed().toList());
    consumer.assign(consumer.lookUps().starts(all));
    Map<TopicPartition, Long> ends = consumer.lookUps().ends(all);
    Map<TopicPartition, Long> oldest = new HashMap<>();
    for (TopicPartition partition : all) {
      if (consumer.position(partition) >= at(ends, partition)) {
        oldest.put(partition, 0L);
      }
    }
    for (int polls = 0; oldest.size() < all.size() && polls < MAX_POLLS; polls++) {
      for (ConsumerRecord<byte[], ByteBuffer> message : pollFromStart()) {
        oldest.computeIfAbsent(all.get(message.partition()), p -> firstWholeBatch(header(message)));
      }
    }
    return oldest.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private ConsumerRecords<byte[], ByteBuffer> pollFromStart() {
    try {
      return consumer.poll(Duration.ofMillis(100), partition -> true);
    } catch (OffsetOutOfRangeException e) {
      consumer.seek(consumer.lookUps().starts(e.partitions()));
      return ConsumerRecords.empty();
    }
  }

  /** The batch of a partition's first record, or the next when the record is not its first. */
  private long firstWholeBatch(StreamHeader first) {
    boolean whole = first.index() - first.firstIndex() < partitionCount;
    return whole ? first.batch() : first.batch() + 1;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
