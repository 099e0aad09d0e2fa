package io.sluice.cli.forget.purge;

import io.sluice.cli.forget.purge.SameOffsets.OffsetTakenException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.schema.KafkaAccess;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A topic's records in another topic, each in its partition, at its offset, with its key, headers
 * and timestamp, and some with another value.
 */
final class TopicCopy {
  private final KafkaAccess access;
  private final TopicTwins twins;

  TopicCopy(KafkaAccess access, TopicTwins twins) {
    this.access = access;
    this.twins = twins;
  }

  /**
   * What stands in the place of a record's value: the very array where it stays as it is. Asked
   * again for the same record it must give the same bytes.
   */
  interface Change extends Function<ConsumerRecord<byte[], byte[]>, byte @Nullable []> {
    /** Nothing is changed. */
    Change NONE = ConsumerRecord::value;
  }

  /**
   * Copies what is not copied yet, and then compares all of both.
   *
   * @param from nobody writes to it
   * @param to made like it; what an earlier process has copied of it stays
   * @param own settings of the producers
   * @param progress told of the records that are read
   * @throws CheckFailedException if the copy cannot be made the same
   */
  void copy(String from, String to, Change change, Map<String, ?> own, LongConsumer progress) {
    try (CopyWriters writers = CopyWriters.open(access, to, own)) {
      if (write(from, to, change, writers, progress) && isSame(from, to, change, progress)) {
        return;
      }
      // A process that died within a transaction may have left an offset that fits nothing.
      twins.makeAnew(from, to);
      if (!write(from, to, change, writers, progress) || !isSame(from, to, change, progress)) {
        throw new CheckFailedException(
            to
                + " is not what "
                + from
                + " is, offset by offset: somebody else writes to one of them");
      }
    }
  }

  private boolean write(
      String from, String to, Change change, CopyWriters writers, LongConsumer progress) {
    for (TopicPartition source : twins.partitions(from)) {
      TopicPartition target = new TopicPartition(to, source.partition());
      long next = twins.end(target);
      try (PartitionRecords records = new PartitionRecords(access, source, next)) {
        SameOffsets out = new SameOffsets(target, () -> twins.end(target), writers);
        records.forEachRemaining(
            record -> {
              out.write(record, change.apply(record));
              progress.accept(1);
            });
        out.finish(records.end());
      } catch (OffsetTakenException e) {
        return false;
      }
    }
    return true;
  }

  private boolean isSame(String from, String to, Change change, LongConsumer progress) {
    for (TopicPartition source : twins.partitions(from)) {
      try (PartitionRecords wanted = new PartitionRecords(access, source, 0);
          PartitionRecords found =
              new PartitionRecords(access, new TopicPartition(to, source.partition()), 0)) {
        if (wanted.end() != found.end()) {
          return false;
        }
        while (wanted.hasNext() && found.hasNext()) {
          ConsumerRecord<byte[], byte[]> one = wanted.next();
          if (!isSame(one, change.apply(one), found.next())) {
            return false;
          }
          progress.accept(1);
        }
        if (wanted.hasNext() || found.hasNext()) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isSame(
      ConsumerRecord<byte[], byte[]> one,
      byte @Nullable [] value,
      ConsumerRecord<byte[], byte[]> other) {
    return one.offset() == other.offset()
        && one.timestamp() == other.timestamp()
        && Arrays.equals(one.key(), other.key())
        && Arrays.equals(value, other.value())
        && Arrays.equals(one.headers().toArray(), other.headers().toArray());
  }
}
