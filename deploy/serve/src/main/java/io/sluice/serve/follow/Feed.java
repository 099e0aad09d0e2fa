package io.sluice.serve.follow;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows topics, each from an offset of its own, with one consumer on one thread, on which alone
 * readers are called. Whether brokers answer is asked while nothing comes: a consumer does not say.
 */
public final class Feed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration CLOSE = Duration.ofSeconds(5);
  private static final long BEGINNING = -1;

  private final KafkaAccess access;
  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Following> followed = new HashMap<>();
  private final List<Following> waiting = new ArrayList<>();
  private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile String away = "";
  private long heardNanos = System.nanoTime();

  /** Who reads a topic. */
  public interface Reader {
    /** Takes the next record. */
    void take(ConsumerRecord<byte[], byte[]> message);

    /** All that there was is taken, for now. */
    void pause();

    /** There is nothing more to read: the topic's records are gone, or this reader threw. */
    void end(Exception why);
  }

  /** A topic that is read, and how far. */
  private static final class Following {
    private final String topic;
    private final long offset;
    private final Reader reader;
    private final Set<TopicPartition> behind = new HashSet<>();
    private boolean told;

    Following(String topic, long offset, Reader reader) {
      this.topic = topic;
      this.offset = offset;
      this.reader = reader;
    }
  }

  /**
   * A feed of nothing, which reads from now on.
   *
   * @param name of its thread
   */
  public Feed(KafkaAccess access, String name) {
    this.access = access;
    consumer = TopicReader.consumer(access, Map.of("isolation.level", "read_committed"));
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads all that a topic has and comes to have, once it is there. */
  public void follow(String topic, Reader reader) {
    asked.add(() -> waiting.add(new Following(topic, BEGINNING, reader)));
  }

  /** The same of a topic with one partition, from an offset on. */
  public void follow(String topic, long offset, Reader reader) {
    asked.add(() -> waiting.add(new Following(topic, offset, reader)));
  }

  /** Reads a topic no more. */
  public void leave(String topic) {
    asked.add(
        () -> {
          waiting.removeIf(each -> each.topic.equals(topic));
          if (followed.values().removeIf(each -> each.topic.equals(topic))) {
            consumer.assign(followed.keySet());
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
    try {
      begin();
      if (followed.isEmpty()) {
        sleep();
        return;
      }
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (TopicPartition partition : records.partitions()) {
        take(partition, records.records(partition));
      }
      probe(!records.isEmpty());
      followed.keySet().stream().toList().forEach(this::pause);
    } catch (OffsetOutOfRangeException e) {
      e.partitions().forEach(partition -> end(Objects.requireNonNull(followed.get(partition)), e));
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      away(e);
      sleep();
    }
  }

  /** Begins to read the topics that are there. */
  private void begin() {
    for (Iterator<Following> each = waiting.iterator(); each.hasNext(); ) {
      Following next = each.next();
      List<PartitionInfo> found = partitions(next.topic);
      if (found.isEmpty()) {
        away = "topic does not exist: " + next.topic;
        continue;
      }
      away = "";
      each.remove();
      for (PartitionInfo info : found) {
        TopicPartition partition = new TopicPartition(next.topic, info.partition());
        followed.put(partition, next);
        next.behind.add(partition);
      }
      consumer.assign(followed.keySet());
      if (next.offset == BEGINNING) {
        consumer.seekToBeginning(next.behind);
      } else {
        next.behind.forEach(partition -> consumer.seek(partition, next.offset));
      }
    }
  }

  private List<PartitionInfo> partitions(String topic) {
    try {
      List<PartitionInfo> found = consumer.partitionsFor(topic, PATIENCE);
      return found == null ? List.of() : found;
    } catch (UnknownTopicOrPartitionException e) {
      return List.of();
    }
  }

  private void take(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    Following following = Objects.requireNonNull(followed.get(partition));
    following.told = false;
    following.behind.add(partition);
    try {
      records.forEach(following.reader::take);
    } catch (RuntimeException e) {
      end(following, e);
    }
  }

  private void pause(TopicPartition partition) {
    Following following = followed.get(partition);
    if (following == null || following.told) {
      return;
    }
    if (consumer.currentLag(partition).orElse(1) == 0) {
      following.behind.remove(partition);
    }
    if (following.behind.isEmpty()) {
      following.told = true;
      try {
        following.reader.pause();
      } catch (RuntimeException e) {
        end(following, e);
      }
    }
  }

  /** Asks brokers for something now and then, since a consumer that hears nothing waits on. */
  private void probe(boolean heard) {
    long now = System.nanoTime();
    if (!heard && now - heardNanos > PATIENCE.toNanos()) {
      consumer.endOffsets(followed.keySet().stream().limit(1).toList(), PATIENCE);
      heard = true;
    }
    if (heard) {
      heardNanos = now;
      away = waiting.isEmpty() ? "" : away;
    }
  }

  private void away(KafkaException why) {
    away =
        why instanceof TimeoutException
            ? "Kafka at "
                + access.bootstrapServers()
                + " did not answer within "
                + PATIENCE.toSeconds()
                + " s"
            : String.valueOf(why.getMessage());
    LOG.debug("nothing is read; trying again", why);
  }

  private void end(Following following, Exception why) {
    LOG.warn("{} is followed no more", following.topic, why);
    followed.values().removeIf(each -> each == following);
    consumer.assign(followed.keySet());
    following.reader.end(why);
  }

  private static void sleep() {
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
