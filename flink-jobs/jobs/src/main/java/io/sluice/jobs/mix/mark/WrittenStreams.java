package io.sluice.jobs.mix.mark;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** What brokers say of partitions that were written to. */
public interface WrittenStreams extends AutoCloseable {
  /** A broker that comes back after an outage may say for as long that there is no such topic. */
  Duration UNSURE = Duration.ofSeconds(10);

  /**
   * Where a partition ends now.
   *
   * @param end the next record's offset; negative if there is no such partition for this client
   * @param epoch of its leader
   */
  record Latest(long end, long epoch) {
    /** Of a partition that there is not. */
    public static final Latest GONE = new Latest(-1, -1);

    /** Whether there is no such partition. */
    public boolean isGone() {
      return end < 0;
    }
  }

  /** Where partitions end, all asked at once; without those of which nothing is known now. */
  Map<TopicPartition, Latest> latest(Collection<TopicPartition> partitions);

  /**
   * The partitions among these whose leaders have not all records below an offset that were written
   * up to a leader's epoch.
   *
   * @throws KafkaException if that cannot be told now
   */
  Set<TopicPartition> cut(Map<TopicPartition, OffsetAndMetadata> reached);

  @Override
  void close();
}
