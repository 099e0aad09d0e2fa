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
 * Proposes kept entries to a run's own log, each based on the one before it at the offset that this
 * has come to have: an entry that names another one there would tell every reader that the log has
 * lost its tail. Where somebody else's entry comes between, the later ones do not apply, and
 * whoever reads the log back proposes them again.
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
            // What begins a log becomes visible together. Nothing else waits for so long.
            "linger.ms", "1000",
            "batch.size", Integer.toString(Limits.RECORD_BYTES));
    producer =
        new KafkaProducer<>(access.with(own), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Proposes entries to follow an entry, one after the other.
   *
   * @throws UnreachableException if no broker takes them
   */
  void append(List<ControlRecord> kept, LogPosition position) {
    LogPosition at = position;
    for (ControlRecord each : kept) {
      ControlRecord record = placed(each, at);
      byte[] value = value(record);
      long offset = await(List.of(send(access.topics().control(run.runId()), value)));
      at = behind(record, value, offset);
    }
  }

  /**
   * Begins a log that is empty with two entries, which nobody reads one without the other.
   *
   * @throws UnreachableException if no broker takes them
   */
  void begin(ControlRecord start, ControlRecord second) {
    String topic = access.topics().control(run.runId());
    ControlRecord first = placed(start, LogPosition.start(run.runId()));
    byte[] value = value(first);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    sent.add(send(topic, value));
    sent.add(send(topic, value(placed(second, behind(first, value, 0)))));
    await(sent);
  }

  private ControlRecord placed(ControlRecord kept, LogPosition at) {
    long now = InstantSource.system().millis();
    return BundledLog.placed(kept, run, streamTopicId, at, writer, now);
  }

  private byte[] value(ControlRecord record) {
    byte[] value = ControlWire.encode(record, RunLog.OWN);
    Limits.requireRecord("entry " + record.getSerial() + " of the control log", value);
    proposed.add(EntryDigest.of(value));
    return value;
  }

  private LogPosition behind(ControlRecord record, byte[] value, long offset) {
    return new LogPosition(
        run.runId(), record.getTimeline(), record.getSerial(), offset, 0, EntryDigest.of(value));
  }

  /** Sends a record of the run to a topic's first partition. */
  Future<RecordMetadata> send(String topic, byte[] value) {
    byte[] key = run.runId().getBytes(StandardCharsets.UTF_8);
    return producer.send(new ProducerRecord<>(topic, 0, key, value));
  }

  /**
   * Waits until brokers have what was sent.
   *
   * @return offset of the last; −1 if nothing was
   */
  long await(List<Future<RecordMetadata>> sent) {
    producer.flush();
    long offset = -1;
    for (Future<RecordMetadata> each : sent) {
      try {
        offset = each.get().offset();
      } catch (ExecutionException e) {
        throw new UnreachableException("a record was not taken: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
    return offset;
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
