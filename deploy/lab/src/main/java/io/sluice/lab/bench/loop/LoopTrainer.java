package io.sluice.lab.bench.loop;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunLogs;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
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
 * A trainer that takes no time for its steps, and notes when what it waits for can be read. One
 * consumer reads the run's control log and the stream.
 */
final class LoopTrainer implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

  private final RunInfo run;
  private final int batchSize;
  private final String control;
  private final Consumer<byte[], byte[]> consumer;
  private final FeedbackReporter feedback;

  private long granted;
  private long grantedAt;
  private long batch;
  private long batchAt;
  private int sequences;

  /** When a step's feedback was sent, and how long after that the rest came. */
  record Round(long toGrantNanos, long toBlockNanos) {}

  LoopTrainer(KafkaAccess kafka, RunInfo run, int batchSize) {
    this.run = run;
    this.batchSize = batchSize;
    this.control = RunLogs.of(kafka).topic(run.runId());
    consumer = TopicReader.consumer(kafka, Map.of());
    List<TopicPartition> partitions = new ArrayList<>();
    partitions.add(new TopicPartition(control, 0));
    partitions.addAll(
        BenchTopics.partitions(kafka.topics().stream(run.name()), MixPoint.PARTITIONS));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    feedback = FeedbackReporter.open(kafka, run, Reporter.single(), InstantSource.system());
  }

  /** Sends the feedback of step 0 and waits for the first batch. */
  void begin() {
    publish(0);
    awaitBatch(1);
  }

  /** Sends the feedback of a step and waits for the batch after it. */
  Round step(long step) {
    long sent = System.nanoTime();
    publish(step);
    feedback.progress(step, step, -1);
    awaitBatch(step + 1);
    return new Round(grantedAt - sent, batchAt - sent);
  }

  private void publish(long step) {
    Map<String, Measurement.Total> losses = new LinkedHashMap<>();
    for (String domain : run.spec().getDomains()) {
      losses.put(
          domain, new Measurement.Total(DrivenRun.TOKENS * loss(domain, step), DrivenRun.TOKENS));
    }
    feedback.publish(Measurement.evalLoss(step, step, "step-" + step, losses));
  }

  /** A loss that falls, for each domain in a wave of its own. */
  static double loss(String domain, long step) {
    return 3 + Math.exp(-step / 100.0) + 0.1 * Math.sin((double) (step + domain.hashCode()));
  }

  private void awaitBatch(long wanted) {
    long start = System.nanoTime();
    while (granted < wanted || batch < wanted || sequences < batchSize) {
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        long now = System.nanoTime();
        if (message.topic().equals(control)) {
          grant(message.value(), now);
        } else {
          sequence(
              StreamHeader.decode(message.headers().lastHeader(StreamHeader.KEY).value()), now);
        }
      }
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new UnreachableException(
            "batch "
                + wanted
                + " does not come: granted is batch "
                + granted
                + ", emitted are "
                + sequences
                + " sequences of batch "
                + batch);
      }
    }
  }

  private void grant(byte[] entry, long now) {
    ControlRecord message = WireCodec.decode(ControlRecord.class, entry);
    if (message.getRunId().equals(run.runId())
        && message.getBody() instanceof MixtureGrant grant
        && grant.getTo() > granted) {
      granted = grant.getTo();
      grantedAt = now;
    }
  }

  private void sequence(StreamHeader header, long now) {
    if (header.batch() > batch) {
      batch = header.batch();
      batchAt = now;
      sequences = 0;
    }
    sequences++;
  }

  @Override
  public void close() {
    feedback.close();
    consumer.close();
  }
}
