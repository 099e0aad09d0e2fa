package io.sluice.cli.forget.purge;

import io.sluice.control.error.Deliveries;
import io.sluice.control.error.UnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to a partition at the very offsets that they have elsewhere. Between them may be
 * offsets without a record, where transactions ended or were aborted: one such offset is the mark
 * of a transaction of the record before it, and more of them are a transaction that is aborted.
 * Whoever reads what is committed sees neither.
 */
final class SameOffsets {
  private static final byte[] NOTHING = {};
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = 500_000;

  /** Records that an aborted transaction has at most, so that the producer's memory holds them. */
  private static final long MOST_AT_ONCE = 100_000;

  private final TopicPartition partition;
  private final Producer<byte[], byte[]> plain;
  private final Producer<byte[], byte[]> marked;
  private final LongSupplier end;
  private final Deliveries deliveries;
  private long next;
  private @Nullable ProducerRecord<byte[], byte[]> held;

  /**
   * A writer to a partition that nobody else writes to.
   *
   * @param end where the partition ends, as the broker says
   * @param writers of all partitions that one process writes to
   */
  SameOffsets(TopicPartition partition, LongSupplier end, CopyWriters writers) {
    this.partition = partition;
    this.end = end;
    this.next = end.getAsLong();
    this.deliveries = new Deliveries("the records of " + partition);
    this.plain = writers.plain();
    this.marked = writers.marked();
  }

  /** An offset that cannot be reached from where the partition ends. */
  static final class OffsetTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OffsetTakenException(TopicPartition partition, long next, long wanted) {
      super(partition + " ends at " + next + ", and the next record belongs to " + wanted);
    }
  }

  /**
   * Writes a record to the offset that it has where it was read.
   *
   * @param value in place of its own
   * @throws OffsetTakenException if that offset cannot be reached
   */
  void write(ConsumerRecord<byte[], byte[]> record, byte @Nullable [] value) {
    goTo(record.offset());
    held =
        new ProducerRecord<>(
            partition.topic(),
            partition.partition(),
            record.timestamp(),
            record.key(),
            value,
            record.headers());
    next = record.offset() + 1;
  }

  /**
   * Leaves offsets free up to one, where the partition ends then; all is written when it returns.
   */
  void finish(long end) {
    goTo(end);
    flushHeld();
    plain.flush();
    deliveries.require();
  }

  private void goTo(long offset) {
    long free = offset - next;
    if (free < 0 || (free == 1 && held == null)) {
      throw new OffsetTakenException(partition, next, offset);
    }
    if (free == 1) {
      commitHeld();
      awaitMark(offset);
      return;
    }
    flushHeld();
    while (next < offset) {
      free = offset - next;
      // What is left must be none, or enough for another transaction.
      long part = free <= MOST_AT_ONCE ? free : Math.min(MOST_AT_ONCE, free - 2);
      abort(part - 1);
      next += part;
      awaitMark(next);
    }
  }

  private void flushHeld() {
    ProducerRecord<byte[], byte[]> record = held;
    if (record != null) {
      held = null;
      deliveries.require();
      var unused = plain.send(record, deliveries);
    }
  }

  private void commitHeld() {
    ProducerRecord<byte[], byte[]> record = held;
    held = null;
    inTransaction(List.of(record), true);
  }

  private void abort(long records) {
    ProducerRecord<byte[], byte[]> nothing =
        new ProducerRecord<>(partition.topic(), partition.partition(), 0L, null, NOTHING);
    inTransaction(Collections.nCopies(Math.toIntExact(records), nothing), false);
  }

  /** A transaction has ended for its producer before its mark is in the partition. */
  private void awaitMark(long behind) {
    long since = System.nanoTime();
    while (end.getAsLong() < behind) {
      if (System.nanoTime() - since > PATIENCE.toNanos()) {
        throw new UnreachableException("no transaction ends in " + partition);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Writes records and asks for the mark behind them. */
  private void inTransaction(List<ProducerRecord<byte[], byte[]>> records, boolean commit) {
    plain.flush();
    deliveries.require();
    try {
      marked.beginTransaction();
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      records.forEach(record -> sent.add(marked.send(record)));
      marked.flush();
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
      if (commit) {
        marked.commitTransaction();
      } else {
        marked.abortTransaction();
      }
    } catch (ExecutionException | KafkaException e) {
      throw deliveries.refused(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw deliveries.refused(e);
    }
  }
}
