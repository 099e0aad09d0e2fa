package io.sluice.cli.forget.purge;

import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The committed records of a partition, from an offset to where it ends when this is made. */
final class PartitionRecords implements Iterator<ConsumerRecord<byte[], byte[]>>, AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TopicPartition partition;
  private final Consumer<byte[], byte[]> consumer;
  private final long end;
  private Iterator<ConsumerRecord<byte[], byte[]>> fetched =
      List.<ConsumerRecord<byte[], byte[]>>of().iterator();
  private @Nullable ConsumerRecord<byte[], byte[]> next;

  /** The records of a partition at or behind an offset. */
  PartitionRecords(KafkaAccess access, TopicPartition partition, long from) {
    this.partition = partition;
    this.consumer =
        TopicReader.consumer(
            access,
            Map.of("isolation.level", "read_committed", "max.partition.fetch.bytes", 8 << 20));
    consumer.assign(List.of(partition));
    long begin = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    this.end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    consumer.seek(partition, Math.max(begin, from));
  }

  /** Where the last committed transaction ends, or the partition. */
  long end() {
    return end;
  }

  @Override
  public boolean hasNext() {
    long since = System.nanoTime();
    while (next == null && (fetched.hasNext() || consumer.position(partition) < end)) {
      if (!fetched.hasNext()) {
        fetched = consumer.poll(POLL).iterator();
      }
      if (fetched.hasNext()) {
        ConsumerRecord<byte[], byte[]> found = fetched.next();
        next = found.offset() < end ? found : null;
      } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
        throw new UnreachableException(
            partition + " is not read on at offset " + consumer.position(partition));
      }
    }
    return next != null;
  }

  @Override
  public ConsumerRecord<byte[], byte[]> next() {
    ConsumerRecord<byte[], byte[]> found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return found;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
