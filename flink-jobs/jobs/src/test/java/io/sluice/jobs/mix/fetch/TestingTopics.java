package io.sluice.jobs.mix.fetch;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Topics in memory, and consumers that can seek in them and read a record again. */
public final class TestingTopics implements Consumers {
  private static final int POLL_RECORDS = 5;

  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> logs =
      new ConcurrentHashMap<>();

  private final Set<TopicPartition> lost = ConcurrentHashMap.newKeySet();
  private final Set<String> mute = ConcurrentHashMap.newKeySet();
  private final Map<String, Runnable> swallowed = new ConcurrentHashMap<>();
  private final Set<String> leaderless = ConcurrentHashMap.newKeySet();
  private final Set<String> blockConsumers = ConcurrentHashMap.newKeySet();
  private final Map<TopicPartition, Integer> polled = new ConcurrentHashMap<>();

  /** How many records of a topic were handed to consumers. */
  public int polled(String topic) {
    return polled.entrySet().stream()
        .filter(each -> each.getKey().topic().equals(topic))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** The client ids that read blocks. */
  public Set<String> blockConsumers() {
    return Set.copyOf(blockConsumers);
  }

  /** No position in a topic's partition is one of its records any more. */
  public void lose(String topic) {
    lost.add(new TopicPartition(topic, 0));
  }

  /** Positions are records again. */
  public void find(String topic) {
    lost.remove(new TopicPartition(topic, 0));
  }

  /** A topic's partition has no leader. */
  public void stand(String topic) {
    leaderless.add(topic);
  }

  /** A topic's partition has a leader that does not answer. */
  public void mute(String topic) {
    mute.add(topic);
  }

  /** The records of a topic's partition never come; each look at it says so. */
  public void swallow(String topic, Runnable looked) {
    swallowed.put(topic, looked);
  }

  /** A topic's partition has a leader that answers. */
  public void lead(String topic) {
    leaderless.remove(topic);
    mute.remove(topic);
  }

  private Node leader(String topic) {
    return leaderless.contains(topic) ? Node.noNode() : new Node(1, "broker", 9092);
  }

  /** Makes a partition that has no records. */
  public synchronized void create(String topic) {
    logs.computeIfAbsent(new TopicPartition(topic, 0), p -> new ArrayList<>());
  }

  /** Appends a record to partition 0; offsets have gaps, as transactions leave them. */
  public synchronized void append(String topic, long timestamp, byte[] value) {
    List<ConsumerRecord<byte[], byte[]>> log =
        logs.computeIfAbsent(new TopicPartition(topic, 0), p -> new ArrayList<>());
    long offset = log.isEmpty() ? 1 : log.get(log.size() - 1).offset() + 2;
    append(topic, offset, timestamp, value);
  }

  /** Appends a record to partition 0 at an offset. */
  public synchronized void append(String topic, long offset, long timestamp, byte[] value) {
    append(new TopicPartition(topic, 0), offset, timestamp, value, new RecordHeaders());
  }

  /** Appends a record with a header to a partition, right after its last one. */
  public synchronized void append(
      TopicPartition partition, long timestamp, byte[] value, Header header) {
    append(partition, end(partition), timestamp, value, new RecordHeaders(List.of(header)));
  }

  private void append(
      TopicPartition partition, long offset, long timestamp, byte[] value, RecordHeaders headers) {
    logs.computeIfAbsent(partition, p -> new ArrayList<>())
        .add(
            new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                0,
                value.length,
                new byte[0],
                value,
                headers,
                Optional.empty()));
  }

  private synchronized List<ConsumerRecord<byte[], byte[]>> from(
      TopicPartition partition, long offset) {
    return logs.getOrDefault(partition, List.of()).stream()
        .filter(record -> record.offset() >= offset)
        .limit(POLL_RECORDS)
        .toList();
  }

  /** Offset after a partition's last record. */
  public synchronized long end(TopicPartition partition) {
    List<ConsumerRecord<byte[], byte[]>> log = logs.getOrDefault(partition, List.of());
    return log.isEmpty() ? 0 : log.get(log.size() - 1).offset() + 1;
  }

  @Override
  public Consumer<byte[], byte[]> control(String clientId) {
    return new TopicsConsumer<>(bytes -> bytes);
  }

  @Override
  public Consumer<byte[], ByteBuffer> blocks(
      String clientId, int lane, int domains, int readers, long budget) {
    blockConsumers.add(clientId);
    return new TopicsConsumer<>(ByteBuffer::wrap) {
      @Override
      public synchronized ConsumerRecords<byte[], ByteBuffer> poll(Duration timeout) {
        for (TopicPartition partition : assignment()) {
          if (position(partition) > end(partition)) {
            throw new OffsetOutOfRangeException(Map.of(partition, position(partition)));
          }
        }
        ConsumerRecords<byte[], ByteBuffer> records = super.poll(timeout);
        pause(records.partitions());
        return records;
      }
    };
  }

  private class TopicsConsumer<V> extends MockConsumer<byte[], V> {
    private final Function<byte[], V> values;

    TopicsConsumer(Function<byte[], V> values) {
      super("none");
      this.values = values;
    }

    @Override
    public synchronized ConsumerRecords<byte[], V> poll(Duration timeout) {
      for (TopicPartition partition : assignment()) {
        if (lost.contains(partition)) {
          throw new OffsetOutOfRangeException(Map.of(partition, position(partition)));
        }
        Runnable looked = swallowed.get(partition.topic());
        if (looked != null) {
          looked.run();
        } else if (!paused().contains(partition)) {
          from(partition, position(partition)).forEach(record -> addRecord(read(record)));
        }
      }
      ConsumerRecords<byte[], V> records = super.poll(timeout);
      records
          .partitions()
          .forEach(each -> polled.merge(each, records.records(each).size(), Integer::sum));
      if (records.isEmpty()) {
        pauseBriefly();
      }
      return records;
    }

    private ConsumerRecord<byte[], V> read(ConsumerRecord<byte[], byte[]> record) {
      return new ConsumerRecord<>(
          record.topic(),
          record.partition(),
          record.offset(),
          record.timestamp(),
          record.timestampType(),
          record.serializedKeySize(),
          record.serializedValueSize(),
          record.key(),
          values.apply(record.value()),
          record.headers(),
          record.leaderEpoch());
    }

    // Lets others in for a moment; nobody waits for anything.
    @SuppressWarnings("WaitNotInLoop")
    private void pauseBriefly() {
      try {
        wait(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptException(e);
      }
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
      super.assign(partitions);
      partitions.forEach(partition -> updateBeginningOffsets(Map.of(partition, 0L)));
      partitions.forEach(partition -> updateEndOffsets(Map.of(partition, end(partition))));
    }

    @Override
    public synchronized Map<TopicPartition, Long> beginningOffsets(
        Collection<TopicPartition> asked, Duration timeout) {
      requireLed(asked);
      Map<TopicPartition, Long> begins = new HashMap<>();
      asked.forEach(partition -> begins.put(partition, 0L));
      return begins;
    }

    private void requireLed(Collection<TopicPartition> asked) {
      for (TopicPartition partition : asked) {
        if (leaderless.contains(partition.topic()) || mute.contains(partition.topic())) {
          throw new TimeoutException("no answer of the leader of " + partition);
        }
      }
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> asked, Duration timeout) {
      requireLed(asked);
      Map<TopicPartition, Long> ends = new HashMap<>();
      asked.forEach(partition -> ends.put(partition, end(partition)));
      return ends;
    }

    @Override
    public synchronized Map<String, List<PartitionInfo>> listTopics() {
      Map<String, List<PartitionInfo>> all = new HashMap<>();
      logs.keySet().forEach(log -> all.put(log.topic(), partitionsFor(log.topic())));
      return all;
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic) {
      return logs.containsKey(new TopicPartition(topic, 0))
          ? List.of(new PartitionInfo(topic, 0, leader(topic), new Node[0], new Node[0]))
          : List.of();
    }
  }
}
