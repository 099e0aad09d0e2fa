package io.sluice.jobs.mix.stream;

import io.sluice.schema.StreamHeader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records and sorts out failures: those that only concern a run's topic end that run's
 * writing, every other one fails the task at the next call. A run that has failed is written to the
 * runs topic before the next checkpoint is complete, so that the control log can say so.
 */
final class StreamWriter implements SinkWriter<StreamEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(StreamWriter.class);

  private final Producer<byte[], byte[]> producer;
  private final StreamTopics topics;
  private final FailureCommands commands;
  private final Counter sent;
  private final Counter sentBytes;
  private final Counter dropped;

  private final Set<String> known = new HashSet<>();
  private final Map<String, String> failedRuns = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> unreported = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Late> late = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Exception failure;

  /** A record that was not delivered in time: its topic is gone, or the broker is. */
  private record Late(StreamTarget target, Exception error) {}

  StreamWriter(
      Producer<byte[], byte[]> producer,
      StreamTopics topics,
      FailureCommands commands,
      SinkWriterMetricGroup metrics) {
    this.producer = producer;
    this.topics = topics;
    this.commands = commands;
    this.sent = metrics.getNumRecordsSendCounter();
    this.sentBytes = metrics.getNumBytesSendCounter();
    this.dropped = metrics.counter("droppedRecords");
    metrics.gauge("failedRuns", failedRuns::size);
  }

  @Override
  public void write(StreamEvent event, Context context) throws IOException, InterruptedException {
    throwFailure();
    StreamTarget target = event.target();
    if (event instanceof StreamFailure failed) {
      fail(target, failed.reason());
    } else if (known.add(target.runId())) {
      topics.refusal(target).ifPresent(reason -> fail(target, reason));
    }
    reportFailures();
    if (event instanceof StreamRecord record) {
      if (failedRuns.containsKey(target.runId())) {
        dropped.inc();
      } else {
        write(record);
      }
    }
  }

  private void write(StreamRecord record) throws InterruptedException {
    StreamTarget target = record.target();
    List<Header> headers = List.of(new RecordHeader(StreamHeader.KEY, record.header()));
    send(
        new ProducerRecord<>(
            target.topic(), record.partition(), record.timestamp(), null, record.value(), headers),
        error -> sort(target, error));
    sent.inc();
    sentBytes.inc(record.value().length);
  }

  private void send(ProducerRecord<byte[], byte[]> record, Consumer<Exception> failed)
      throws InterruptedException {
    try {
      producer.send(
          record,
          (metadata, error) -> {
            if (error != null) {
              failed.accept(error);
            }
          });
    } catch (InterruptException e) {
      throw interrupted(e);
    }
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    throwFailure();
    flushProducer();
    throwFailure();
    if (reportFailures()) {
      flushProducer();
      throwFailure();
    }
  }

  private void flushProducer() throws InterruptedException {
    try {
      producer.flush();
    } catch (InterruptException e) {
      throw interrupted(e);
    }
  }

  /**
   * Asks for the failures that were noticed to be logged; in the task's thread, for it may wait.
   */
  private boolean reportFailures() throws InterruptedException {
    boolean any = false;
    for (String runId = unreported.poll(); runId != null; runId = unreported.poll()) {
      send(commands.of(runId, failedRuns.getOrDefault(runId, "")), error -> failure = error);
      any = true;
    }
    return any;
  }

  @Override
  public void close() {
    // What is not flushed belongs to no checkpoint: it is emitted again.
    producer.close(Duration.ZERO);
    topics.close();
  }

  /** Tells a run's failure from the task's; on the producer's thread, so it must not block. */
  private void sort(StreamTarget target, Exception error) {
    if (failedRuns.containsKey(target.runId())) {
      return;
    }
    if (error instanceof RecordTooLargeException
        || error instanceof UnknownTopicOrPartitionException
        || error instanceof InvalidTopicException
        || error instanceof TopicAuthorizationException) {
      fail(target, "topic " + target.topic() + ": " + error.getMessage());
    } else if (error instanceof TimeoutException) {
      late.add(new Late(target, error));
    } else if (failure == null) {
      failure = error;
    }
  }

  private void fail(StreamTarget target, String reason) {
    if (failedRuns.putIfAbsent(target.runId(), reason) == null) {
      LOG.error(
          "Run {} is no longer written: {}. Its further records are dropped; other runs go on.",
          target.runId(),
          reason);
      unreported.add(target.runId());
    }
  }

  private void throwFailure() throws IOException {
    if (!late.isEmpty()) {
      judgeLate();
    }
    Exception found = failure;
    if (found != null) {
      throw new IOException("cannot write the stream: " + found.getMessage(), found);
    }
  }

  private void judgeLate() {
    List<Late> all = new ArrayList<>();
    for (Late one = late.poll(); one != null; one = late.poll()) {
      all.add(one);
    }
    for (Late one : all) {
      if (failedRuns.containsKey(one.target().runId())) {
        continue;
      }
      Optional<String> refusal = topics.refusal(one.target());
      if (refusal.isPresent()) {
        fail(one.target(), refusal.get());
      } else {
        failure = one.error();
        return;
      }
    }
  }

  private static InterruptedException interrupted(InterruptException cause) {
    // Kafka's exception leaves the flag set; Flink expects its own kind with the flag cleared.
    Thread.interrupted();
    InterruptedException result = new InterruptedException(cause.getMessage());
    result.initCause(cause);
    return result;
  }
}
