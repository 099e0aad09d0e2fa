package io.sluice.client.run;

import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
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
  private final String topic;
  private final Supplier<TopicReader> open;
  private final RunLogFold run;
  private @Nullable TopicReader log;
  private volatile RunTimeline runTimeline;

  /** Follows the control log, a topic of this name, once it is asked to. */
  public ControlFollower(RunInfo info, String topic, Supplier<TopicReader> open) {
    this.info = info;
    this.topic = topic;
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
    TopicReader reader = log;
    if (reader == null) {
      reader = open.get();
      log = reader;
    }
    reader.catchUp(topic, TIMEOUT, this::take);
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
    TopicReader reader = log;
    if (reader != null) {
      reader.close();
    }
  }
}
