package io.sluice.cli.ingest.topic;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.reach.Reachability;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * The committed records of a topic that others write, each partition's in order, as they come:
 * nobody waits for a partition that has none. Needs no group. Everything that it hands on is of the
 * topic that it was opened on: one that is deleted, or made anew, is an error. Without following,
 * each partition is read to where it ended when it was begun.
 */
public final class TopicSource implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How often an idle topic is looked at: whether it is still there, and has more partitions. */
  private static final long LOOK_NANOS = Duration.ofSeconds(10).toNanos();

  private static final String NO_ID = "AAAAAAAAAAAAAAAAAAAAAA";

  private final KafkaAccess access;
  private final String topic;
  private final TopicAdmin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final String id;
  private final Set<TopicPartition> reading = new HashSet<>();
  private final Set<TopicPartition> seen = new HashSet<>();
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private final boolean follow;
  private long looked = System.nanoTime();

  /** Told of what cannot be read. */
  public interface Gaps {
    /** Records of a partition are gone before they were taken. */
    void lost(int partition, long from, long to);

    /** A partition ends before a record that was taken: what comes there cannot be told apart. */
    void cut(int partition, long taken, long end);
  }

  private TopicSource(KafkaAccess access, String topic, boolean follow, TopicAdmin admin) {
    this.access = access;
    this.topic = topic;
    this.follow = follow;
    this.admin = admin;
    this.id = found().topicId().toString();
    if (id.equals(NO_ID)) {
      throw new BadInputException(
          "--topic must be on brokers that give topics ids, as Kafka does from 2.8 on: " + topic);
    }
    this.consumer =
        TopicReader.consumer(
            access,
            Map.of(
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                "500",
                "fetch.max.bytes",
                Integer.toString(16 << 20),
                "max.poll.records",
                "2000"));
  }

  /**
   * Opens a topic.
   *
   * @param follow read on behind where its partitions end when they are begun
   * @throws BadInputException if there is none, or its brokers give topics no ids
   * @throws UnreachableException within 5 s, if its brokers are not there
   */
  public static TopicSource open(KafkaAccess access, String topic, boolean follow) {
    Reachability.require(
        access, "topic '" + topic + "' is where --source-kafka, or its dataset's file, says");
    TopicAdmin admin = new TopicAdmin(access);
    try {
      return new TopicSource(access, topic, follow, admin);
    } catch (RuntimeException e) {
      admin.close();
      throw e;
    }
  }

  /** The topic as the table of what was ingested calls it. */
  public TopicPlace place() {
    return new TopicPlace(topic, id);
  }

  /**
   * Begins to read the partitions that were not there before.
   *
   * @param taken up to which offset each was taken before; those that are not in it never were
   * @return how many offsets that are still there were taken before, of each that is read now
   */
  public Map<TopicPartition, Long> begin(Map<Integer, Long> taken, Gaps gaps) {
    List<TopicPartition> found =
        partitions().stream().filter(partition -> !seen.contains(partition)).toList();
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(found, PATIENCE);
    ends.putAll(consumer.endOffsets(found, PATIENCE));
    Map<TopicPartition, Long> positions = new HashMap<>();
    Map<TopicPartition, Long> before = new HashMap<>();
    for (TopicPartition partition : found) {
      long first = Objects.requireNonNull(beginnings.get(partition));
      long end = end(partition);
      long known = taken.getOrDefault(partition.partition(), first);
      seen.add(partition);
      if (known > end) {
        gaps.cut(partition.partition(), known, end);
        continue;
      }
      if (known < first) {
        gaps.lost(partition.partition(), known, first);
      }
      positions.put(partition, Math.max(known, first));
      before.put(partition, Math.max(0, known - first));
    }
    reading.addAll(positions.keySet());
    consumer.assign(reading);
    positions.forEach(consumer::seek);
    leaveEnded();
    return before;
  }

  /**
   * What has come; waits a moment for it.
   *
   * @throws BadInputException if the topic is no longer the one that was opened
   */
  public List<ConsumerRecord<byte[], byte[]>> poll(Gaps gaps) {
    ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
    try {
      records = consumer.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      e.offsetOutOfRangePartitions().forEach((partition, at) -> goOn(partition, at, gaps));
    }
    if (!records.isEmpty() || isTimeToLook()) {
      // An id never comes back: what was fetched before it was seen is of this topic.
      looked = System.nanoTime();
      if (!admin.find(topic).map(now -> now.topicId().toString()).equals(Optional.of(id))) {
        throw new BadInputException(
            "--topic must not be deleted while it is read: '"
                + topic
                + "' is gone, or another. What was taken is in the corpus; run again to read the"
                + " other");
      }
    }
    List<ConsumerRecord<byte[], byte[]>> wanted = new ArrayList<>(records.count());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (follow || record.offset() < end(new TopicPartition(record.topic(), record.partition()))) {
        wanted.add(record);
      }
    }
    leaveEnded();
    return wanted;
  }

  /** Whether nothing more will come. */
  public boolean isRead() {
    return !follow && reading.isEmpty();
  }

  private boolean isTimeToLook() {
    return System.nanoTime() - looked > LOOK_NANOS;
  }

  private long end(TopicPartition partition) {
    return Objects.requireNonNull(ends.get(partition));
  }

  private void leaveEnded() {
    if (!follow && reading.removeIf(each -> consumer.position(each) >= end(each))) {
      consumer.assign(reading);
    }
  }

  private void goOn(TopicPartition partition, long at, Gaps gaps) {
    long first = first(consumer.beginningOffsets(List.of(partition), PATIENCE), partition);
    if (at < first) {
      gaps.lost(partition.partition(), at, first);
      consumer.seek(partition, first);
      return;
    }
    gaps.cut(
        partition.partition(),
        at,
        first(consumer.endOffsets(List.of(partition), PATIENCE), partition));
    reading.remove(partition);
    consumer.assign(reading);
  }

  private static long first(Map<TopicPartition, Long> offsets, TopicPartition partition) {
    return Objects.requireNonNull(offsets.get(partition));
  }

  private List<TopicPartition> partitions() {
    return found().partitions().stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private TopicDescription found() {
    return admin
        .find(topic)
        .orElseThrow(
            () ->
                new BadInputException(
                    "--topic must exist on " + access.bootstrapServers() + ": '" + topic + "'"));
  }

  @Override
  public void close() {
    consumer.close();
    admin.close();
  }
}
