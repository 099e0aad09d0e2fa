package io.sluice.serve.follow;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows partitions, each from an offset of its own, with one consumer on one thread. A reader is
 * called on that thread alone, and one that throws is left out from then on, and hurts no other.
 */
public final class Feed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Reader> readers = new HashMap<>();
  private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::run, "sluice-feed");
  private volatile boolean closed;
  private volatile String away = "";

  /** Who reads a partition. */
  public interface Reader {
    /** Takes the next record. */
    void take(ConsumerRecord<byte[], byte[]> message);

    /** All that there was is taken, for now. */
    default void pause() {}

    /** Its records are gone, or it threw: it gets no more. */
    default void end(Exception why) {}
  }

  /** A feed of nothing. */
  public Feed(KafkaAccess access) {
    this(TopicReader.consumer(access, Map.of("isolation.level", "read_committed")));
  }

  Feed(Consumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
    thread.setDaemon(true);
  }

  /** Begins to read. */
  public Feed start() {
    thread.start();
    return this;
  }

  /** Reads a partition from an offset on, for one reader. */
  public void follow(TopicPartition partition, long offset, Reader reader) {
    asked.add(
        () -> {
          readers.put(partition, reader);
          consumer.assign(readers.keySet());
          consumer.seek(partition, offset);
        });
  }

  /** Reads a partition no more. */
  public void leave(TopicPartition partition) {
    asked.add(
        () -> {
          if (readers.remove(partition) != null) {
            consumer.assign(readers.keySet());
          }
        });
  }

  /** Why nothing is read at the moment; '' while all is well. */
  public String away() {
    return away;
  }

  private void run() {
    try (consumer) {
      while (!closed) {
        round();
      }
    } catch (WakeupException | InterruptException e) {
      LOG.debug("nothing is followed any more");
    }
  }

  private void round() {
    for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
      next.run();
    }
    if (readers.isEmpty()) {
      sleep();
      return;
    }
    try {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      away = "";
      for (TopicPartition partition : records.partitions()) {
        hand(partition, records.records(partition));
      }
    } catch (OffsetOutOfRangeException e) {
      e.partitions().forEach(partition -> end(partition, e));
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      away = String.valueOf(e.getMessage());
      LOG.debug("nothing is read; trying again", e);
      sleep();
    }
  }

  private void hand(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    Reader reader = readers.get(partition);
    if (reader == null) {
      return;
    }
    try {
      records.forEach(reader::take);
      if (consumer.currentLag(partition).orElse(1) == 0) {
        reader.pause();
      }
    } catch (RuntimeException e) {
      end(partition, e);
    }
  }

  private void end(TopicPartition partition, Exception why) {
    LOG.warn("{} is followed no more", partition, why);
    Reader reader = Objects.requireNonNull(readers.remove(partition));
    consumer.assign(readers.keySet());
    reader.end(why);
  }

  private void sleep() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join(CLOSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
