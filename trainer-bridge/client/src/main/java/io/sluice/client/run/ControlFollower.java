package io.sluice.client.run;

import io.sluice.client.error.KafkaUnreachableException;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the control log says about one run, read as far as it goes on demand. One thread reads; any
 * may ask for the runTimeline.
 */
public final class ControlFollower implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RunInfo info;
  private final Supplier<LogReader> open;
  private final RunLogFold run;
  private @Nullable LogReader log;
  private volatile RunTimeline runTimeline;

  public ControlFollower(RunInfo info, Supplier<LogReader> open) {
    this.info = info;
    this.open = open;
    this.run = new RunLogFold(info.runId());
    this.runTimeline = RunTimeline.of(info.spec());
  }

  /**
   * Brings the run up to date.
   *
   * @throws KafkaUnreachableException if no broker answers in time
   */
  public void refresh() {
    LogReader reader = log;
    if (reader == null) {
      reader = open.get();
      log = reader;
    }
    reader.catchUp(TIMEOUT, this::take);
    runTimeline = run.runTimeline().orElse(runTimeline);
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    ControlRecords.decode(message)
        .ifPresent(entry -> run.apply(message.partition(), message.offset(), entry));
  }

  /** How far the run has come. */
  public RunLogFold run() {
    return run;
  }

  /** Where its batches lie. */
  public RunTimeline runTimeline() {
    return runTimeline;
  }

  /** The run under the specification that governs a batch. */
  public RunInfo infoAt(long batch) {
    return new RunInfo(info.runId(), runTimeline.specAt(batch));
  }

  @Override
  public void close() {
    LogReader reader = log;
    if (reader != null) {
      reader.close();
    }
  }
}
