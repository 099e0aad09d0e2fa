package io.sluice.jobs.mix.reweight;

import io.sluice.schema.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each entry to its run's log. A producer waits for a topic that it does not know: so the
 * first entry of a log, and one after a failure, is sent by a thread of its own, and the task never
 * waits for a log that is gone.
 */
final class RunLogWriter implements SinkWriter<KeyedRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(RunLogWriter.class);

  /** How often a topic is looked for before its entry is left out. */
  private static final int LOOKS = 10;

  private final Topics topics;
  private final Producer<byte[], byte[]> producer;
  private final Set<String> ready = ConcurrentHashMap.newKeySet();

  /**
   * The newest entry of each run whose log is looked for. Its lock is held while an entry is sent,
   * so that none overtakes the one that was held.
   */
  private final Map<String, KeyedRecord> held = new HashMap<>();

  private final ExecutorService looking =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-run-logs");
            thread.setDaemon(true);
            return thread;
          });

  RunLogWriter(Topics topics, Producer<byte[], byte[]> producer) {
    this.topics = topics;
    this.producer = producer;
  }

  @Override
  public void write(KeyedRecord entry, Context context) {
    boolean isNew;
    synchronized (held) {
      if (ready.contains(entry.key)) {
        send(entry);
        return;
      }
      isNew = held.put(entry.key, entry) == null;
    }
    if (isNew) {
      looking.execute(() -> look(entry.key, LOOKS));
    }
  }

  /** Looks for a run's log, and again when others have had their turn. */
  private void look(String runId, int looks) {
    boolean found = false;
    try {
      producer.partitionsFor(topics.control(runId));
      found = true;
    } catch (TimeoutException e) {
      if (looks > 1 && !looking.isShutdown()) {
        looking.execute(() -> look(runId, looks - 1));
        return;
      }
      LOG.warn("There is no control log of run {}: {}", runId, e.getMessage());
    } catch (RuntimeException | Error e) {
      // Out of memory, too: a run that stays held is never looked for again.
      LOG.warn("The control log of run {} cannot be written: {}", runId, e.toString());
    }
    synchronized (held) {
      KeyedRecord entry = held.remove(runId);
      if (found) {
        ready.add(runId);
      }
      if (found && entry != null) {
        send(entry);
      }
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
    producer.close(Duration.ZERO);
  }
}
