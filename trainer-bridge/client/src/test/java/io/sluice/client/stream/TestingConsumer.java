package io.sluice.client.stream;

import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** A topic in memory with its consumer; a poll that finds nothing lets its clock run instead. */
public final class TestingConsumer<V> extends MockConsumer<byte[], V> {
  private final Map<TopicPartition, List<ConsumerRecord<byte[], V>>> log;
  private final Map<TopicPartition, Long> starts;
  private final int maxRecords;
  private int polled;
  private final Function<byte[], V> values;
  private final Deque<Runnable> beforePolls;
  private Runnable afterLookUp = () -> {};
  private final AtomicLong nanos;
  private boolean closed;
  private boolean deaf;
  private int unanswered;

  private TestingConsumer(int maxRecords, Function<byte[], V> values) {
    this(
        maxRecords,
        values,
        new TreeMap<>(
            Comparator.comparing(TopicPartition::topic)
                .thenComparingInt(TopicPartition::partition)),
        new HashMap<>(),
        new ArrayDeque<>(),
        new AtomicLong());
  }

  private TestingConsumer(
      int maxRecords,
      Function<byte[], V> values,
      Map<TopicPartition, List<ConsumerRecord<byte[], V>>> log,
      Map<TopicPartition, Long> starts,
      Deque<Runnable> beforePolls,
      AtomicLong nanos) {
    super("none");
    this.maxRecords = maxRecords;
    this.values = values;
    this.log = log;
    this.starts = starts;
    this.beforePolls = beforePolls;
    this.nanos = nanos;
  }

  /** A consumer that gives so many records at a time. */
  public static TestingConsumer<byte[]> of(int maxRecords) {
    return new TestingConsumer<>(maxRecords, value -> value);
  }

  /** A consumer of values where they were fetched: somewhere in a larger buffer. */
  public static TestingConsumer<ByteBuffer> ofViews(int maxRecords) {
    return new TestingConsumer<>(
        maxRecords,
        value -> {
          ByteBuffer fetched = ByteBuffer.allocate(value.length + 7).position(3).put(value);
          return fetched.limit(3 + value.length).position(3);
        });
  }

  /** Another consumer of the same topics under the same clock, which has not been closed. */
  public TestingConsumer<V> again() {
    return new TestingConsumer<>(maxRecords, values, log, starts, beforePolls, nanos);
  }

  public void create(String topic, int partitions) {
    for (int p = 0; p < partitions; p++) {
      log.put(new TopicPartition(topic, p), new ArrayList<>());
      starts.put(new TopicPartition(topic, p), 0L);
    }
  }

  public void delete(String topic) {
    log.keySet().removeIf(partition -> partition.topic().equals(topic));
  }

  /** Adds a record and returns its offset. */
  public long append(
      String topic, int partition, long timestamp, byte[] value, RecordHeaders headers) {
    List<ConsumerRecord<byte[], V>> records = log.get(new TopicPartition(topic, partition));
    records.add(
        new ConsumerRecord<>(
            topic,
            partition,
            records.size(),
            timestamp,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            null,
            values.apply(value),
            headers,
            Optional.empty()));
    return records.size() - 1L;
  }

  public void append(String topic, TestingStream.Sequence sequence) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(StreamHeader.KEY, sequence.header().encode());
    append(topic, sequence.partition(), sequence.header().batch(), sequence.value(), headers);
  }

  /** Removes the records of a partition below an offset. */
  void trim(String topic, int partition, long offset) {
    starts.put(new TopicPartition(topic, partition), offset);
  }

  /** Loses the records of a partition from an offset on. */
  void cut(String topic, int partition, int offset) {
    List<ConsumerRecord<byte[], V>> records = log.get(new TopicPartition(topic, partition));
    records.subList(offset, records.size()).clear();
  }

  /** Gives nothing and answers nothing from now on. */
  void deafen() {
    deaf = true;
  }

  /** Gives and answers again. */
  void hear() {
    deaf = false;
  }

  /** Does not answer the next so many times that it is asked where something is. */
  void doNotAnswer(int times) {
    unanswered = times;
  }

  private void requireAnswer() {
    if (deaf || unanswered > 0) {
      unanswered--;
      throw new TimeoutException("no answer");
    }
  }

  /** Does something after each look-up by timestamp. */
  void afterLookUp(Runnable task) {
    afterLookUp = task;
  }

  /** Does something before the next poll; what is given later, before the poll after it. */
  synchronized void beforePoll(Runnable task) {
    beforePolls.add(task);
  }

  /** Lets time pass in which nobody asks. */
  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  public long nanoTime() {
    return nanos.get();
  }

  /** Records that were given. */
  public int polled() {
    return polled;
  }

  public boolean wasClosed() {
    return closed;
  }

  /** As far as it was told: a deaf one knows of no more. */
  @Override
  public synchronized OptionalLong currentLag(TopicPartition partition) {
    return deaf
        ? OptionalLong.of(0)
        : OptionalLong.of(log.get(partition).size() - position(partition));
  }

  @Override
  public synchronized ConsumerRecords<byte[], V> poll(Duration timeout) {
    Optional.ofNullable(beforePolls.poll()).ifPresent(Runnable::run);
    Map<TopicPartition, List<ConsumerRecord<byte[], V>>> found = new HashMap<>();
    int left = maxRecords;
    for (TopicPartition partition : assignment()) {
      long position = position(partition);
      if (deaf || paused().contains(partition) || left == 0 || !log.containsKey(partition)) {
        continue;
      }
      if (position < starts.get(partition) || position > log.get(partition).size()) {
        throw new OffsetOutOfRangeException(Map.of(partition, position));
      }
      List<ConsumerRecord<byte[], V>> records = log.get(partition);
      int end = (int) Math.min(records.size(), position + left);
      if (end > position) {
        found.put(partition, List.copyOf(records.subList((int) position, end)));
        left -= (int) (end - position);
        seek(partition, end);
      }
    }
    found.values().forEach(records -> polled += records.size());
    nanos.addAndGet(found.isEmpty() ? timeout.toNanos() : 1);
    return new ConsumerRecords<>(found, Map.of());
  }

  @Override
  public synchronized void seekToBeginning(Collection<TopicPartition> partitions) {
    partitions.forEach(partition -> seek(partition, starts.get(partition)));
  }

  @Override
  public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
      Map<TopicPartition, Long> times) {
    requireAnswer();
    Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
    times.forEach(
        (partition, time) ->
            log.get(partition).stream()
                .filter(r -> r.offset() >= starts.get(partition) && r.timestamp() >= time)
                .findFirst()
                .ifPresent(
                    r -> found.put(partition, new OffsetAndTimestamp(r.offset(), r.timestamp()))));
    afterLookUp.run();
    return found;
  }

  @Override
  public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
      Map<TopicPartition, Long> times, Duration timeout) {
    return offsetsForTimes(times);
  }

  @Override
  public Map<TopicPartition, Long> beginningOffsets(
      Collection<TopicPartition> partitions, Duration timeout) {
    return beginningOffsets(partitions);
  }

  @Override
  public synchronized Map<TopicPartition, Long> beginningOffsets(
      Collection<TopicPartition> partitions) {
    requireAnswer();
    Map<TopicPartition, Long> result = new HashMap<>();
    partitions.forEach(partition -> result.put(partition, starts.get(partition)));
    return result;
  }

  @Override
  public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
    requireAnswer();
    Map<TopicPartition, Long> result = new HashMap<>();
    if (!log.keySet().containsAll(partitions)) {
      throw new TimeoutException("no leader of " + partitions + " answers");
    }
    partitions.forEach(partition -> result.put(partition, (long) log.get(partition).size()));
    return result;
  }

  @Override
  public Map<TopicPartition, Long> endOffsets(
      Collection<TopicPartition> partitions, Duration timeout) {
    return endOffsets(partitions);
  }

  @Override
  public synchronized List<PartitionInfo> partitionsFor(String topic) {
    requireAnswer();
    return log.keySet().stream()
        .filter(partition -> partition.topic().equals(topic))
        .map(p -> new PartitionInfo(topic, p.partition(), null, null, null))
        .toList();
  }

  @Override
  public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
    return partitionsFor(topic);
  }

  @Override
  public synchronized Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
    Map<String, List<PartitionInfo>> found = new HashMap<>();
    log.keySet()
        .forEach(partition -> found.put(partition.topic(), partitionsFor(partition.topic())));
    return found;
  }

  @Override
  public synchronized void close() {
    closed = true;
    super.close();
  }
}
