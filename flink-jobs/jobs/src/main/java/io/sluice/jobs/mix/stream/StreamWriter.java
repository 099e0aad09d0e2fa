package io.sluice.jobs.mix.stream;

import io.sluice.schema.StreamHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records and sorts out failures: those that only concern a run's topic end that run's
 * writing, those that may pass are told to the source, which emits the run's records again, every
 * other one fails the task at the next call. A run that has failed is written to the runs topic
 * before the next checkpoint is complete, so that the control log can say so.
 *
 * <p>Kafka's producer blocks in {@code send} when it does not know a topic, or has no room. It does
 * so for a short time only here; then the topic is looked at, and the record is sent again.
 */
final class StreamWriter implements SinkWriter<StreamEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(StreamWriter.class);

  /** No run has this id. */
  private static final String COMMANDS = "";

  private static final long WAIT_MILLIS = 20;

  /** How long a record that the source can emit again may keep the task from other runs. */
  private static final long MOST_HELD_NANOS = 1_000_000_000;

  private final Producer<byte[], ByteBuffer> producer;
  private final StreamTopics topics;
  private final FailureCommands commands;
  private final Counter sent;
  private final Counter sentBytes;
  private final Counter dropped;

  private final TopicWatch watch;
  private final Duration topicCheck;
  private final long patienceNanos;
  private final long flushPatienceNanos;
  private final Thread task = Thread.currentThread();

  private final Set<StreamTarget> known = new HashSet<>();
  private final Map<String, String> failedRuns = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Unreported> unreported = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Late> late = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Exception failure;
  private final UnsentBytes inFlight = new UnsentBytes();
  private final ExecutorService flusher;
  private CompletableFuture<Void> flush = CompletableFuture.completedFuture(null);
  private boolean watched = true;
  private boolean sending;
  private @Nullable Exception refusedAtOnce;

  /** A record that was not delivered in time: its topic is gone, or the broker is. */
  private record Late(StreamTarget target, StreamGate gate, Exception error) {}

  /** A failure that the control log does not know of. */
  private record Unreported(String runId, String reason) {}

  /** Waits for a record's delivery. */
  private final class Sending implements Callback {
    private final StreamTarget target;
    private final StreamGate gate;
    private final int bytes;

    Sending(StreamRecord record) {
      // Not the record: its block keeps a whole fetch alive.
      target = record.target();
      gate = record.gate();
      bytes = record.bytes();
      gate.taken(bytes);
      inFlight.sent(target.runId());
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
      if (error == null && metadata != null) {
        gate.acknowledged(metadata.partition(), metadata.offset());
      }
      if (error != null) {
        if (sending && Thread.currentThread() == task) {
          refusedAtOnce = error;
        } else {
          sort(target, gate, error);
        }
      }
      gate.left(bytes);
      inFlight.done(target.runId());
    }
  }

  /**
   * A writer for the thread that makes it.
   *
   * @param topicCheck how often it is looked whether the runs' topics are still there
   * @param patience how long a record may be kept from being sent
   * @param flushPatience how long a checkpoint waits for records that the source can emit again
   */
  StreamWriter(
      Producer<byte[], ByteBuffer> producer,
      StreamTopics topics,
      FailureCommands commands,
      Duration topicCheck,
      Duration patience,
      Duration flushPatience,
      SinkWriterMetricGroup metrics) {
    this.producer = producer;
    this.topics = topics;
    this.commands = commands;
    this.patienceNanos = patience.toNanos();
    this.flushPatienceNanos = flushPatience.toNanos();
    this.topicCheck = topicCheck;
    this.watch = new TopicWatch(topics, topicCheck, this::fail);
    this.flusher =
        Executors.newSingleThreadExecutor(
            body -> {
              Thread thread = new Thread(body, "sluice-stream-flush");
              thread.setDaemon(true);
              return thread;
            });
    this.sent = metrics.getNumRecordsSendCounter();
    this.sentBytes = metrics.getNumBytesSendCounter();
    this.dropped = metrics.counter("droppedRecords");
    metrics.gauge("failedRuns", failedRuns::size);
  }

  /** Starts to look at the topics of the runs that are written. */
  StreamWriter watching(String threadName) {
    watch.start(threadName);
    return this;
  }

  /** What looks at the topics of the runs that are written. */
  TopicWatch watch() {
    return watch;
  }

  @Override
  public void write(StreamEvent event, Context context) throws IOException, InterruptedException {
    throwFailure();
    StreamTarget target = event.target();
    if (event instanceof StreamFailure failed) {
      fail(target, failed.reason());
    } else if (event instanceof StreamEnded) {
      forget(target);
    } else if (event instanceof StreamRecord record) {
      if (known.add(target)) {
        meet(target, record.gate());
      }
      reportFailures();
      write(record);
    }
    reportFailures();
  }

  private void meet(StreamTarget target, StreamGate gate) throws InterruptedException {
    watch.add(target);
    requireTopic(target, gate);
    if (gate.hasLost()) {
      known.remove(target);
    } else if (!failedRuns.containsKey(target.runId())) {
      topics.awaitLeaders(target);
    }
  }

  /** A run that has failed stays known as such: records of it may still be on their way. */
  private void forget(StreamTarget target) {
    known.remove(target);
    watch.remove(target);
  }

  private void write(StreamRecord record) throws IOException, InterruptedException {
    long since = System.nanoTime();
    StreamGate gate = record.gate();
    watched &= gate.isWatched();
    long patience = gate.isWatched() ? Math.min(patienceNanos, MOST_HELD_NANOS) : patienceNanos;
    while (!failedRuns.containsKey(record.target().runId())) {
      if (gate.hasLost()) {
        return;
      }
      Exception refused = send(record);
      if (refused == null) {
        sent.inc();
        sentBytes.inc(record.value().remaining());
        return;
      }
      if (refused instanceof TimeoutException && System.nanoTime() - since < patience) {
        requireTopic(record.target(), gate);
      } else {
        sort(record.target(), gate, refused);
      }
      throwFailure();
    }
    dropped.inc();
  }

  /** Hands a record to the producer; what it says when it does not take it. */
  private @Nullable Exception send(StreamRecord record) throws InterruptedException {
    List<Header> headers = List.of(new RecordHeader(StreamHeader.KEY, record.header()));
    ProducerRecord<byte[], ByteBuffer> outgoing =
        new ProducerRecord<>(
            record.target().topic(),
            record.partition(),
            record.timestamp(),
            null,
            record.value(),
            headers);
    refusedAtOnce = null;
    sending = true;
    try {
      var unused = producer.send(outgoing, new Sending(record));
    } catch (InterruptException e) {
      throw interrupted(e);
    } finally {
      sending = false;
    }
    return refusedAtOnce;
  }

  /**
   * Leaves what cannot be sent to the source, if that emits it again: whoever watches the topics
   * says whether the run has failed.
   */
  private void requireTopic(StreamTarget target, StreamGate gate) throws InterruptedException {
    if (!gate.isWatched()) {
      topics.refusedTwice(Set.of(target), topicCheck).forEach(this::fail);
    } else if (!topics.refusals(Set.of(target)).isEmpty()) {
      gate.lose();
    }
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    throwFailure();
    long until = System.nanoTime() + flushPatienceNanos;
    awaitDelivery(until, endOfInput);
    while (reportFailures()) {
      awaitDelivery(until, endOfInput);
    }
  }

  /**
   * Waits until every run that has not failed is delivered, and after a while no longer for those
   * that the source can emit again: the checkpoint then has them where all was delivered. A
   * producer's own flush would wait for the records of a topic that is gone until they time out.
   */
  private void awaitDelivery(long until, boolean all) throws IOException, InterruptedException {
    boolean waits = all || !watched;
    if (flush.isDone()) {
      flush = CompletableFuture.runAsync(producer::flush, flusher);
    }
    while (!inFlight.awaitNone(run -> ignores(run, until, waits), WAIT_MILLIS)) {
      throwFailure();
    }
    throwFailure();
  }

  private boolean ignores(String runId, long until, boolean waits) {
    return failedRuns.containsKey(runId)
        || (!waits && !runId.equals(COMMANDS) && System.nanoTime() - until >= 0);
  }

  /**
   * Asks for the failures that were noticed to be logged; in the task's thread, for it may wait.
   */
  private boolean reportFailures() throws InterruptedException {
    boolean any = false;
    for (Unreported one = unreported.poll(); one != null; one = unreported.poll()) {
      try {
        inFlight.sent(COMMANDS);
        var unused = producer.send(commands.of(one.runId(), one.reason()), this::commanded);
      } catch (InterruptException e) {
        throw interrupted(e);
      }
      any = true;
    }
    return any;
  }

  private void commanded(@Nullable RecordMetadata metadata, @Nullable Exception error) {
    failure = error == null ? failure : error;
    inFlight.done(COMMANDS);
  }

  @Override
  public void close() {
    watch.close();
    // What is not flushed belongs to no checkpoint: it is emitted again.
    producer.close(Duration.ZERO);
    flusher.shutdown();
    topics.close();
  }

  /** Tells a run's failure from the task's; on the producer's thread, so it must not block. */
  private void sort(StreamTarget target, StreamGate gate, Exception error) {
    if (failedRuns.containsKey(target.runId())) {
      return;
    }
    if (error instanceof RecordTooLargeException
        || error instanceof InvalidTopicException
        || error instanceof InvalidTimestampException
        || error instanceof TopicAuthorizationException) {
      fail(target, "topic " + target.topic() + ": " + error.getMessage());
    } else if (error instanceof RetriableException) {
      gate.lose();
      late.add(new Late(target, gate, error));
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
      unreported.add(new Unreported(target.runId(), reason));
    }
  }

  private void throwFailure() throws IOException, InterruptedException {
    if (!late.isEmpty()) {
      judgeLate();
    }
    Exception found = failure;
    if (found != null) {
      throw new IOException("cannot write the stream: " + found.getMessage(), found);
    }
  }

  /**
   * Of what was not delivered in time, the source emits again what it can: a broker that was away
   * may say of any topic that it does not exist, so no run fails for that here.
   */
  private void judgeLate() throws InterruptedException {
    Map<StreamTarget, Exception> open = new HashMap<>();
    Set<StreamTarget> told = new HashSet<>();
    for (Late one = late.poll(); one != null; one = late.poll()) {
      if (failedRuns.containsKey(one.target().runId())) {
        continue;
      }
      if (!one.gate().isWatched()) {
        open.put(one.target(), one.error());
      } else if (told.add(one.target())) {
        LOG.warn(
            "Topic {} did not take what run {} sent: {}. It is sent again; other runs go on.",
            one.target().topic(),
            one.target().runId(),
            one.error().getMessage());
      }
    }
    Map<StreamTarget, String> refusals = topics.refusedTwice(open.keySet(), topicCheck);
    refusals.forEach(this::fail);
    open.keySet().removeAll(refusals.keySet());
    for (Exception error : open.values()) {
      failure = error;
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
