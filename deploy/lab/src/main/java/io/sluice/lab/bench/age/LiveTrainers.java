package io.sluice.lab.bench.age;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.control.error.UnreachableException;
import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The trainers of the live runs: all report a step, and wait for the batch that follows from it.
 */
final class LiveTrainers implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long PATIENCE_NANOS = Duration.ofMinutes(30).toNanos();

  private final List<RunInfo> runs;
  private final List<FeedbackReporter> reporters = new ArrayList<>();
  private final Consumer<byte[], byte[]> consumer;
  private final Map<String, Long> emitted = new LinkedHashMap<>();
  private long batch;

  /**
   * Trainers of runs that all are granted up to the same batch.
   *
   * @param batch the last one granted
   */
  LiveTrainers(KafkaAccess kafka, List<RunInfo> runs, long batch) {
    this.runs = runs;
    this.batch = batch;
    List<TopicPartition> streams = new ArrayList<>();
    for (RunInfo run : runs) {
      reporters.add(FeedbackReporter.open(kafka, run, Reporter.single(), InstantSource.system()));
      String stream = kafka.topics().stream(run.name());
      streams.add(new TopicPartition(stream, 0));
      emitted.put(stream, 0L);
    }
    consumer = TopicReader.consumer(kafka, Map.of());
    consumer.assign(streams);
    consumer.seekToEnd(streams);
    streams.forEach(consumer::position);
  }

  /** The last batch that every run was granted. */
  long batch() {
    return batch;
  }

  /** Reports the last granted batch as trained. */
  void report() {
    for (int i = 0; i < runs.size(); i++) {
      FeedbackReporter reporter = reporters.get(i);
      reporter.publish(
          Measurement.evalLoss(batch, batch, "step-" + batch, losses(runs.get(i), batch)));
      reporter.progress(batch, batch, -1);
      reporter.flush();
    }
    batch++;
  }

  private static Map<String, Measurement.Total> losses(RunInfo run, long step) {
    Map<String, Measurement.Total> losses = new LinkedHashMap<>();
    List<String> domains = run.spec().getDomains();
    for (int i = 0; i < domains.size(); i++) {
      losses.put(
          domains.get(i),
          new Measurement.Total(DrivenRun.TOKENS * LossWaves.loss(i, step), DrivenRun.TOKENS));
    }
    return losses;
  }

  /** Waits until every stream has the batch. */
  void await() {
    long start = System.nanoTime();
    while (emitted.values().stream().anyMatch(last -> last < batch)) {
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        StreamHeader header =
            StreamHeader.decode(message.headers().lastHeader(StreamHeader.KEY).value());
        emitted.merge(message.topic(), header.batch(), Math::max);
      }
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new UnreachableException("batch " + batch + " does not come: there is " + emitted);
      }
    }
  }

  @Override
  public void close() {
    reporters.forEach(FeedbackReporter::close);
    consumer.close();
  }
}
