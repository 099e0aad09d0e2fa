package io.sluice.jobs.mix.reweight;

import io.sluice.schema.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each entry to its run's log. A producer waits for a topic that it does not know: so the
 * first entry of a log, and one after a failure, is held until brokers say that they have the log.
 * A thread of its own asks them, for many logs at once: neither the task nor another run waits for
 * a log that is gone.
 */
final class RunLogWriter implements SinkWriter<KeyedRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(RunLogWriter.class);

  /** How often a log is looked for before its entry is left out. */
  private static final int LOOKS = 10;

  /** How many logs are looked for in one question. */
  private static final int AT_ONCE = 500;

  /** How many runs a warning names. */
  private static final int NAMED = 5;

  private final Topics topics;
  private final Producer<byte[], byte[]> producer;
  private final LogTopics present;
  private final Duration pause;
  private final Set<String> ready = ConcurrentHashMap.newKeySet();

  /**
   * The runs whose logs are looked for. Its lock is held while an entry is sent, so that none
   * overtakes the one that was held.
   */
  private final Map<String, Held> held = new LinkedHashMap<>();

  private boolean looksAgain;

  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-run-logs");
            thread.setDaemon(true);
            return thread;
          });

  /** The newest entry of a run, and how often its log was looked for. */
  private record Held(KeyedRecord entry, int looks) {}

  /**
   * A writer that nothing waits for.
   *
   * @param pause from one look for a log to the next
   */
  RunLogWriter(
      Topics topics, Producer<byte[], byte[]> producer, LogTopics present, Duration pause) {
    this.topics = topics;
    this.producer = producer;
    this.present = present;
    this.pause = pause;
  }

  @Override
  public void write(KeyedRecord entry, Context context) {
    boolean isNew;
    synchronized (held) {
      if (ready.contains(entry.key)) {
        send(entry);
        return;
      }
      Held before = held.get(entry.key);
      isNew = before == null;
      held.put(entry.key, new Held(entry, before == null ? 0 : before.looks()));
    }
    if (isNew) {
      looking.execute(() -> look(looks -> looks == 0));
    }
  }

  /** Looks for the logs that were looked for so often before. */
  private void look(IntPredicate before) {
    List<String> runs = new ArrayList<>();
    synchronized (held) {
      held.forEach(
          (runId, each) -> {
            if (before.test(each.looks())) {
              runs.add(runId);
            }
          });
    }
    List<String> lost = new ArrayList<>();
    for (int i = 0; i < runs.size(); i += AT_ONCE) {
      List<String> asked = runs.subList(i, Math.min(runs.size(), i + AT_ONCE));
      Set<String> found = found(asked);
      asked.stream().filter(runId -> !take(runId, found.contains(runId))).forEach(lost::add);
    }
    if (!lost.isEmpty()) {
      LOG.warn(
          "There are no control logs of {} runs, such as {}",
          lost.size(),
          lost.subList(0, Math.min(lost.size(), NAMED)));
    }
    synchronized (held) {
      if (!held.isEmpty() && !looksAgain && !looking.isShutdown()) {
        looksAgain = true;
        var unused = looking.schedule(this::lookAgain, pause.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
  }

  private void lookAgain() {
    synchronized (held) {
      looksAgain = false;
    }
    look(looks -> true);
  }

  /** The runs among these that have a log which the producer knows, too. */
  private Set<String> found(List<String> runs) {
    Set<String> found = new HashSet<>();
    try {
      Set<String> logs = present.present(runs.stream().map(topics::control).toList());
      runs.stream().filter(runId -> logs.contains(topics.control(runId))).forEach(found::add);
    } catch (RuntimeException | Error e) {
      // Out of memory, too: nobody looks again for a run that stays held.
      LOG.warn("Cannot look for {} control logs: {}", runs.size(), e.toString());
    }
    found.removeIf(runId -> !isKnown(runId));
    return found;
  }

  private boolean isKnown(String runId) {
    try {
      producer.partitionsFor(topics.control(runId));
      return true;
    } catch (RuntimeException | Error e) {
      LOG.warn("The control log of run {} cannot be written: {}", runId, e.toString());
      return false;
    }
  }

  /** Whether an entry was sent, or its log is looked for again. */
  private boolean take(String runId, boolean found) {
    synchronized (held) {
      Held waiting = held.remove(runId);
      if (waiting == null) {
        return true;
      }
      if (found) {
        ready.add(runId);
        send(waiting.entry());
        return true;
      }
      if (waiting.looks() + 1 == LOOKS) {
        return false;
      }
      held.put(runId, new Held(waiting.entry(), waiting.looks() + 1));
      return true;
    }
  }

  private void send(KeyedRecord entry) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topics.control(entry.key), 0, entry.key.getBytes(StandardCharsets.UTF_8), entry.value);
    try {
      var unused = producer.send(record, (written, error) -> sent(entry.key, error));
    } catch (KafkaException e) {
      sent(entry.key, e);
    }
  }

  private void sent(String runId, @Nullable Exception error) {
    if (error != null) {
      ready.remove(runId);
      LOG.warn("The control log of run {} did not take an entry: {}", runId, error.getMessage());
    }
  }

  /** What is not written is proposed again, whatever checkpoints hold. */
  @Override
  public void flush(boolean endOfInput) {
    if (endOfInput) {
      producer.flush();
    }
  }

  @Override
  public void close() {
    looking.shutdownNow();
    present.close();
    producer.close(Duration.ZERO);
  }
}
