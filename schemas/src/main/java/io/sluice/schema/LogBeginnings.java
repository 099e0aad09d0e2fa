package io.sluice.schema;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Finds where readers of runs' own logs begin: each at the newest snapshot in it that can be
 * believed. Logs are looked at together, each from its end, so that it costs what lies behind its
 * snapshot. Every method throws {@link KafkaUnreachableException} when nothing comes for the given
 * patience. Not thread-safe.
 */
public final class LogBeginnings implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int AT_ONCE = 256;

  /** A log of no more records is read from its start. */
  private static final int FEW = 32;

  /** What is fetched of each log, and of all at once; a record that is larger comes alone. */
  private static final Map<String, Object> SETTINGS =
      Map.of("max.partition.fetch.bytes", 256 << 10, "fetch.max.bytes", 8 << 20);

  private final KafkaAccess access;
  private final Consumer<byte[], byte[]> consumer;

  /** A finder in whatever its consumer sees, which it closes. */
  public LogBeginnings(KafkaAccess access, Consumer<byte[], byte[]> consumer) {
    this.access = access;
    this.consumer = consumer;
  }

  /** A finder in what is written. */
  public static LogBeginnings of(KafkaAccess access) {
    return new LogBeginnings(access, TopicReader.consumer(access, SETTINGS));
  }

  /** Where the logs of these runs begin for who wants what they have come to; none of one gone. */
  public Map<String, LogBeginning> newest(Collection<String> runIds, Duration patience) {
    Map<String, LogBeginning> found = new HashMap<>();
    List<String> all = List.copyOf(runIds);
    for (int i = 0; i < all.size(); i += AT_ONCE) {
      find(all.subList(i, Math.min(all.size(), i + AT_ONCE)), patience, found);
    }
    return found;
  }

  /**
   * Where a run's log begins for who wants what follows a batch.
   *
   * @return empty if the log is gone
   */
  public Optional<LogBeginning> before(String runId, long batch, Duration patience) {
    Optional<LogBeginning> newest =
        Optional.ofNullable(newest(List.of(runId), patience).get(runId));
    Optional<LogSnapshot> snapshot = newest.flatMap(LogBeginning::snapshot);
    if (snapshot.isEmpty() || snapshot.get().getSnapshot().getBatch() <= batch) {
      return newest;
    }
    TopicPartition log = log(runId);
    EarlierSnapshot named = null;
    for (EarlierSnapshot each : snapshot.get().getEarlier()) {
      named = each.getBatch() <= batch ? each : named;
    }
    try {
      long begin =
          Objects.requireNonNull(consumer.beginningOffsets(Set.of(log), patience).get(log));
      Optional<LogBeginning> earlier =
          named == null ? Optional.empty() : at(log, runId, named, patience);
      return earlier.or(() -> Optional.of(LogBeginning.start(begin)));
    } catch (TimeoutException e) {
      throw unreachable(patience, e);
    }
  }

  /** An earlier snapshot that a run's newest one names, if it is what is there. */
  public Optional<LogBeginning> earlier(String runId, EarlierSnapshot named, Duration patience) {
    try {
      return at(log(runId), runId, named, patience);
    } catch (TimeoutException e) {
      throw unreachable(patience, e);
    }
  }

  private Optional<LogBeginning> at(
      TopicPartition log, String runId, EarlierSnapshot named, Duration patience) {
    long offset = named.getOffset();
    List<ConsumerRecord<byte[], byte[]>> there = new ArrayList<>();
    try {
      consumer.assign(Set.of(log));
      consumer.seek(log, offset);
      readTo(Map.of(log, offset + 1), patience, there::add);
    } catch (InvalidOffsetException e) {
      return Optional.empty();
    }
    for (ConsumerRecord<byte[], byte[]> message : there) {
      if (message.offset() == offset) {
        try {
          ControlRecord record = WireCodec.decode(ControlRecord.class, message.value());
          if (record.getRunId().equals(runId)
              && record.getSerial() == named.getSerial()
              && record.getBody() instanceof LogSnapshot) {
            return Optional.of(LogBeginning.at(offset, record, message.value()));
          }
        } catch (WireFormatException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private TopicPartition log(String runId) {
    return new TopicPartition(access.topics().control(runId), 0);
  }

  private void find(Collection<String> runIds, Duration patience, Map<String, LogBeginning> found) {
    Map<TopicPartition, String> logs = new HashMap<>();
    runIds.forEach(runId -> logs.put(log(runId), runId));
    while (!logs.isEmpty()) {
      try {
        find(logs, patience, found);
        return;
      } catch (TimeoutException e) {
        // Nothing answers for a topic that was deleted.
        Set<String> there = topics(patience);
        if (!logs.keySet().removeIf(log -> !there.contains(log.topic()))) {
          throw unreachable(patience, e);
        }
      }
    }
  }

  private Set<String> topics(Duration patience) {
    try {
      return consumer.listTopics(patience).keySet();
    } catch (TimeoutException e) {
      throw unreachable(patience, e);
    }
  }

  private void find(
      Map<TopicPartition, String> logs, Duration patience, Map<String, LogBeginning> found) {
    // The client warns of every partition whose end is asked for while it is not assigned.
    consumer.assign(logs.keySet());
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(logs.keySet(), patience);
    Map<TopicPartition, Long> ends = consumer.endOffsets(logs.keySet(), patience);
    Map<TopicPartition, LogTail> open = new HashMap<>();
    logs.forEach(
        (log, runId) -> {
          long begin = Objects.requireNonNull(begins.get(log));
          long end = Objects.requireNonNull(ends.get(log));
          found.put(runId, LogBeginning.start(begin));
          if (end - begin > FEW) {
            open.put(log, new LogTail(runId, begin, end));
          }
        });
    while (!open.isEmpty()) {
      consumer.assign(open.keySet());
      open.forEach((log, tail) -> consumer.seek(log, tail.widen()));
      try {
        Map<TopicPartition, Long> to = new HashMap<>();
        open.forEach((log, tail) -> to.put(log, tail.to()));
        readTo(
            to,
            patience,
            message ->
                Optional.ofNullable(
                        open.get(new TopicPartition(message.topic(), message.partition())))
                    .ifPresent(tail -> tail.take(message)));
      } catch (InvalidOffsetException e) {
        // A part of the log is gone while it is read: its start has what is left.
        open.keySet().removeAll(e.partitions());
      }
      open.entrySet()
          .removeIf(
              each -> {
                Optional<LogBeginning> believed = each.getValue().find();
                String runId = Objects.requireNonNull(logs.get(each.getKey()));
                believed.ifPresent(beginning -> found.put(runId, beginning));
                return believed.isPresent() || each.getValue().isWhole();
              });
    }
  }

  /** Reads on, each log up to an offset at least. */
  private void readTo(Map<TopicPartition, Long> ends, Duration patience, TopicReader.Sink sink) {
    Set<TopicPartition> open = new HashSet<>(ends.keySet());
    consumer.resume(open);
    long moved = System.nanoTime();
    while (true) {
      Set<TopicPartition> read = new HashSet<>(open);
      read.removeIf(
          log -> consumer.position(log, patience) < Objects.requireNonNull(ends.get(log)));
      open.removeAll(read);
      consumer.pause(read);
      if (open.isEmpty()) {
        return;
      }
      ConsumerRecords<byte[], byte[]> come = consumer.poll(POLL);
      come.forEach(sink::accept);
      if (!come.isEmpty()) {
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > patience.toNanos()) {
        throw new TimeoutException("the last records of " + open + " do not come");
      }
    }
  }

  private KafkaUnreachableException unreachable(Duration patience, TimeoutException e) {
    return new KafkaUnreachableException(access.bootstrapServers(), patience, e);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
