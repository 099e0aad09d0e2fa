package io.sluice.jobs.mix.source;

import io.sluice.control.wire.ControlWire;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the control logs for all splits of a reader, in a thread of its own, and passes on the
 * entries of their runs. It may pass on an entry again: whoever has applied it ignores it then.
 */
final class ControlFeed implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlFeed.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Supplier<Consumer<byte[], byte[]>> opening;
  private final BlockingQueue<ReaderMessage> inbox;
  private final Runnable arrived;
  private final Runnable tick;

  private final Map<String, TopicPartition> runs = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> rereads = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> next = new HashMap<>();
  private volatile boolean closed;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * @param inbox is waited for when it is full
   * @param arrived is run when there is something in the inbox
   * @param tick is run about every 100 ms
   */
  ControlFeed(
      Supplier<Consumer<byte[], byte[]>> opening,
      BlockingQueue<ReaderMessage> inbox,
      Runnable arrived,
      Runnable tick) {
    this.opening = opening;
    this.inbox = inbox;
    this.arrived = arrived;
    this.tick = tick;
  }

  /** Passes on a run's entries from an offset on. */
  void follow(String runId, TopicPartition log, long offset) {
    runs.put(runId, log);
    rereads.merge(log, offset, Math::min);
  }

  /** Passes on no more entries of a run. */
  void leave(String runId) {
    runs.remove(runId);
  }

  @Override
  public void run() {
    try (Closing opened = new Closing(opening.get())) {
      consumer = opened.consumer();
      while (!closed) {
        step(opened.consumer());
        tick.run();
      }
    } catch (WakeupException | InterruptException e) {
      if (!closed) {
        fail(e);
      }
    } catch (RuntimeException e) {
      fail(e);
    } catch (Error e) {
      fail(new IllegalStateException("the control log cannot be read: " + e, e));
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Closing(Consumer<byte[], byte[]> consumer) implements AutoCloseable {
    @Override
    public void close() {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private void fail(RuntimeException error) {
    ReaderMessage failed = new ReaderMessage.Failed("cannot read the control log", error);
    try {
      // An interrupt keeps nobody from saying why it ends while there is room.
      if (!inbox.offer(failed)) {
        inbox.put(failed);
      }
    } catch (InterruptedException e) {
      LOG.error("The control log cannot be read, and the reader does not listen", error);
      Thread.currentThread().interrupt();
    }
    arrived.run();
  }

  private void step(Consumer<byte[], byte[]> from) throws InterruptedException {
    goBack(from);
    letGo(from);
    if (next.isEmpty()) {
      Thread.sleep(POLL.toMillis());
      return;
    }
    for (ConsumerRecord<byte[], byte[]> record : poll(from)) {
      next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
      ReaderMessage read = read(record);
      if (read != null) {
        inbox.put(read);
        arrived.run();
      }
    }
  }

  private void goBack(Consumer<byte[], byte[]> from) {
    for (TopicPartition place : Set.copyOf(rereads.keySet())) {
      Long offset = rereads.remove(place);
      Long current = next.get(place);
      if (offset == null || (current != null && current <= offset)) {
        continue;
      }
      next.put(place, offset);
      if (current == null) {
        from.assign(next.keySet());
      }
      from.seek(place, offset);
    }
  }

  /** Reads no log any more that no run is followed in. */
  private void letGo(Consumer<byte[], byte[]> from) {
    if (next.keySet().retainAll(Set.copyOf(runs.values()))) {
      from.assign(next.keySet());
    }
  }

  /** What has come; of a log whose awaited record is gone, the runs are told so. */
  private Iterable<ConsumerRecord<byte[], byte[]>> poll(Consumer<byte[], byte[]> from)
      throws InterruptedException {
    try {
      return from.poll(POLL);
    } catch (InvalidOffsetException e) {
      for (TopicPartition log : e.partitions()) {
        for (String runId : Set.copyOf(runs.keySet())) {
          if (log.equals(runs.get(runId))) {
            runs.remove(runId);
            inbox.put(new ReaderMessage.LogLost(runId, log + " has no record " + next.get(log)));
            arrived.run();
          }
        }
      }
      return List.of();
    }
  }

  /** What a record says of one of the runs; null if nothing. */
  private @Nullable ReaderMessage read(ConsumerRecord<byte[], byte[]> record) {
    ControlRecord control;
    try {
      control = WireCodec.decode(ControlRecord.class, record.value());
    } catch (WireFormatException e) {
      LOG.warn(
          "Control log {}, offset {}: ignored: {}",
          record.topic(),
          record.offset(),
          e.getMessage());
      return null;
    }
    TopicPartition log = runs.get(control.getRunId());
    if (log == null
        || !log.topic().equals(record.topic())
        || LogBeginning.isMisplaced(control, record.topic())) {
      return null;
    }
    try {
      return new ReaderMessage.Entry(ControlWire.read(control, record.value()), record.offset());
    } catch (IllegalArgumentException e) {
      return new ReaderMessage.NoEntry(
          ControlWire.link(control, record.value()),
          record.offset(),
          String.valueOf(e.getMessage()));
    }
  }

  /** Ends the thread soon; does not wait for it. */
  void close() {
    closed = true;
    Consumer<byte[], byte[]> opened = consumer;
    if (opened != null) {
      opened.wakeup();
    }
  }
}
