package io.sluice.control.bundle;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Limits;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Proposes kept entries to a run's own log, several at once: each is based on the one before at the
 * offset that this comes to have if nobody else writes. Where somebody does, the later ones do not
 * apply, and whoever reads the log back proposes them again.
 */
final class LogAppender implements AutoCloseable {
  private final KafkaAccess access;
  private final BundledLog.Named run;
  private final String streamTopicId;
  private final String writer;
  private final Set<Long> proposed = new HashSet<>();
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * An appender to the log of a run, whose topic exists.
   *
   * @param streamTopicId Kafka's id of its stream's topic
   * @param writer nonce
   */
  LogAppender(KafkaAccess access, BundledLog.Named run, String streamTopicId, String writer) {
    this.access = access;
    this.run = run;
    this.streamTopicId = streamTopicId;
    this.writer = writer;
    Map<String, String> own =
        Map.of(
            "acks", "all",
            // What is proposed together becomes visible together, as far as it fits.
            "linger.ms", "50",
            "batch.size", Integer.toString(Limits.RECORD_BYTES));
    producer =
        new KafkaProducer<>(access.with(own), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Proposes entries to follow an entry, and waits until brokers have them.
   *
   * @param next offset that the first of them comes to have if nobody else writes
   * @throws UnreachableException if no broker takes them
   */
  void append(List<ControlRecord> kept, LogPosition position, long next) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    LogPosition at = position;
    long offset = next;
    for (ControlRecord each : kept) {
      ControlRecord record =
          BundledLog.placed(each, run, streamTopicId, at, writer, InstantSource.system().millis());
      byte[] value = ControlWire.encode(record, RunLog.OWN);
      Limits.requireRecord("entry " + record.getSerial() + " of the control log", value);
      long digest = EntryDigest.of(value);
      proposed.add(digest);
      sent.add(send(access.topics().control(run.runId()), value));
      at =
          new LogPosition(
              run.runId(), record.getTimeline(), record.getSerial(), offset++, 0, digest);
    }
    await(sent);
  }

  /** Sends a record of the run to a topic's first partition. */
  Future<RecordMetadata> send(String topic, byte[] value) {
    byte[] key = run.runId().getBytes(StandardCharsets.UTF_8);
    return producer.send(new ProducerRecord<>(topic, 0, key, value));
  }

  /** Waits until brokers have what was sent. */
  static void await(List<Future<RecordMetadata>> sent) {
    for (Future<RecordMetadata> each : sent) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new UnreachableException("a record was not taken: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }

  /** Whether an entry with this digest was proposed here. */
  boolean isOwn(long digest) {
    return proposed.contains(digest);
  }

  @Override
  public void close() {
    producer.close();
  }
}
