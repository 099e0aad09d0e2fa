package io.sluice.client;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one run as a trainer sees it: global batches in order, each exactly once. Not
 * thread-safe; an interrupted thread leaves {@link #next} with Kafka's InterruptException.
 */
public final class TrainerStream implements AutoCloseable {
  private static final Duration API_TIMEOUT = Duration.ofSeconds(30);
  private static final Map<String, String> OPEN_SETTINGS =
      Map.of("default.api.timeout.ms", Long.toString(API_TIMEOUT.toMillis()));
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CONTROL_TIMEOUT = Duration.ofSeconds(10);

  private final RunInfo run;
  private final StreamOptions options;
  private final StreamCursor cursor;
  private final Supplier<LogReader> controlLog;
  private final LongSupplier nanoTime;
  private final BlockReader blocks;
  private final LoggedRun status;
  private @Nullable LogReader control;
  private StreamAssembler assembler;

  /**
   * Opens the stream before batch 1.
   *
   * @throws StreamMissingException if the run's stream topic does not exist
   * @throws KafkaUnreachableException if no broker answers
   */
  public static TrainerStream open(KafkaAccess access, RunInfo run, StreamOptions options) {
    try {
      return new TrainerStream(
          run,
          options,
          access.topics().stream(run.name()),
          LogReader.consumer(access, OPEN_SETTINGS),
          () -> new LogReader(access, access.topics().control()),
          System::nanoTime);
    } catch (TimeoutException e) {
      throw new KafkaUnreachableException(access.bootstrapServers(), API_TIMEOUT, e);
    }
  }

  TrainerStream(
      RunInfo run,
      StreamOptions options,
      String topic,
      Consumer<byte[], byte[]> consumer,
      Supplier<LogReader> controlLog,
      LongSupplier nanoTime) {
    this.run = run;
    this.options = options;
    this.controlLog = controlLog;
    this.nanoTime = nanoTime;
    this.blocks = new BlockReader(run);
    this.status = new LoggedRun(run.runId());
    try {
      this.cursor =
          new StreamCursor(
              consumer, topic, run.spec().getStreamPartitions(), options.bufferBytes());
      this.assembler = assemblerAfter(StreamState.start(run.runId()));
      cursor.seek(1);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  /**
   * The next global batch; waits for it.
   *
   * @throws StreamStalledException if it is not complete in time; asking again is fine
   * @throws RunEndedException if there is no next batch
   * @throws RewoundException if the run went on under another timeline
   * @throws StreamGapException if a sequence stays missing
   * @throws StreamCorruptException if the stream contradicts itself
   * @throws BatchNoLongerRetainedException if its records were removed
   */
  public GlobalBatch next(Duration timeout) {
    requireBatchesLeft();
    long start = nanoTime.getAsLong();
    long asked = start;
    Optional<GlobalBatch> batch = assembler.take();
    while (batch.isEmpty()) {
      long now = nanoTime.getAsLong();
      long left = timeout.toNanos() - (now - start);
      if (left > 0 && now - asked < options.statusInterval().toNanos()) {
        read(Duration.ofNanos(Math.min(left, POLL.toNanos())));
        batch = assembler.take();
        continue;
      }
      String waitsFor = askControlLog();
      asked = now;
      batch = takeUnlessEnded();
      if (batch.isEmpty() && left <= 0) {
        throw new StreamStalledException(assembler.awaited(), timeout, waitsFor);
      }
    }
    return batch.get();
  }

  private void read(Duration wait) {
    long before = nanoTime.getAsLong();
    cursor.poll(wait, assembler);
    assembler.readFor(nanoTime.getAsLong() - before);
    if (!assembler.hasNext()) {
      assembler.checkGaps(options.gapTimeout());
    }
  }

  /** Position after the last batch that was handed out; the trainer's checkpoint keeps it. */
  public StreamState state() {
    return assembler.state(run.runId());
  }

  /**
   * Goes to a state, so that the next batch is the one after it.
   *
   * @throws IllegalArgumentException if the state is another run's
   */
  public void seek(StreamState state) {
    if (!state.runId().equals(run.runId())) {
      throw new IllegalArgumentException(
          "the state is of run " + state.runId() + ", this stream is of run " + run.runId());
    }
    assembler = assemblerAfter(state);
    cursor.seek(state.batch() + 1);
  }

  /**
   * Goes to a batch, so that it is the next one, on the present timeline.
   *
   * @param batch from 1
   */
  public void seekToBatch(long batch) {
    if (batch < 1) {
      throw new IllegalArgumentException("batch must be at least 1: " + batch);
    }
    seek(
        new StreamState(
            run.runId(),
            assembler.timeline(),
            batch - 1,
            BatchSchedule.firstIndex(run.spec(), batch)));
  }

  /** Blocks that could not be used and were handed on masked, since the stream was opened. */
  public long undecodable() {
    return blocks.undecodable();
  }

  private StreamAssembler assemblerAfter(StreamState state) {
    return new StreamAssembler(state, run.spec().getStreamPartitions(), blocks);
  }

  private void requireBatchesLeft() {
    RunSpec spec = run.spec();
    if (spec.getBatches() > 0 && assembler.lastBatch() >= spec.getBatches()) {
      throw new RunEndedException(
          run.runId(), "completed", assembler.lastBatch(), spec.getBatches() + " batches");
    }
  }

  /** Reads what an ended run has left; fails if that does not complete the batch. */
  private Optional<GlobalBatch> takeUnlessEnded() {
    Optional<GlobalBatch> batch = assembler.take();
    if (!status.hasEndedBefore(assembler.awaited().batch())) {
      return batch;
    }
    Map<TopicPartition, Long> ends = cursor.ends();
    while (batch.isEmpty() && !cursor.hasRead(ends, assembler)) {
      read(POLL);
      batch = assembler.take();
    }
    if (batch.isEmpty()) {
      throw new RunEndedException(run.runId(), status.state(), assembler.lastBatch(), status.why());
    }
    return batch;
  }

  /** Brings the run's status up to date and says what the awaited batch waits for. */
  private String askControlLog() {
    LogReader reader = control;
    if (reader == null) {
      reader = controlLog.get();
      control = reader;
    }
    try {
      reader.catchUp(CONTROL_TIMEOUT, this::applyControl);
      return status.describe(assembler.awaited().batch());
    } catch (KafkaUnreachableException e) {
      return e.getMessage();
    }
  }

  private void applyControl(ConsumerRecord<byte[], byte[]> message) {
    status.apply(
        message.partition(),
        message.offset(),
        WireCodec.decode(ControlRecord.class, message.value()));
  }

  @Override
  public void close() {
    cursor.close();
    if (control != null) {
      control.close();
    }
  }
}
