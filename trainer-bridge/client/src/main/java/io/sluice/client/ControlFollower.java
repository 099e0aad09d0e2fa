package io.sluice.client;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the control log says about one run, read as far as it goes on demand. One thread reads; any
 * may ask for the course.
 */
final class ControlFollower implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RunInfo info;
  private final Supplier<LogReader> open;
  private final LoggedRun run;
  private @Nullable LogReader log;
  private volatile RunCourse course;

  ControlFollower(RunInfo info, Supplier<LogReader> open) {
    this.info = info;
    this.open = open;
    this.run = new LoggedRun(info.runId());
    this.course = RunCourse.of(info.spec());
  }

  /**
   * Brings the run up to date.
   *
   * @throws KafkaUnreachableException if no broker answers in time
   */
  void refresh() {
    LogReader reader = log;
    if (reader == null) {
      reader = open.get();
      log = reader;
    }
    reader.catchUp(TIMEOUT, this::take);
    course = run.course().orElse(course);
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    ControlRecords.decode(message)
        .ifPresent(entry -> run.apply(message.partition(), message.offset(), entry));
  }

  /** How far the run has come. */
  LoggedRun run() {
    return run;
  }

  /** Where its batches lie. */
  RunCourse course() {
    return course;
  }

  /** The run under the specification that governs a batch. */
  RunInfo infoAt(long batch) {
    return new RunInfo(info.runId(), course.specAt(batch));
  }

  @Override
  public void close() {
    LogReader reader = log;
    if (reader != null) {
      reader.close();
    }
  }
}
