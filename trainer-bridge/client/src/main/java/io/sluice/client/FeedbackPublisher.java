package io.sluice.client;

import io.sluice.client.Measurement.Total;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one rank's measurements and progress to its run, in order and asynchronously. A record that
 * is not acknowledged fails the next call, and every one after it: progress must not overtake the
 * feedback of its step. A trainer checkpoint is complete only after {@link #flush}.
 */
public final class FeedbackPublisher implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final RunInfo run;
  private final Reporter reporter;
  private final String topic;
  private final InstantSource clock;
  private final Producer<byte[], byte[]> producer;
  private final Set<String> domains;
  private final byte[] key;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  /** Opens a publisher for one rank; to follow another timeline, open another. */
  public static FeedbackPublisher open(
      KafkaAccess access, RunInfo run, Reporter reporter, InstantSource clock) {
    Map<String, String> settings =
        Map.of("acks", "all", "enable.idempotence", "true", "linger.ms", "0");
    return new FeedbackPublisher(
        run,
        reporter,
        access.topics().feedback(run.name()),
        clock,
        new KafkaProducer<>(
            access.with(settings), new ByteArraySerializer(), new ByteArraySerializer()));
  }

  FeedbackPublisher(
      RunInfo run,
      Reporter reporter,
      String topic,
      InstantSource clock,
      Producer<byte[], byte[]> producer) {
    this.run = run;
    this.reporter = reporter;
    this.topic = topic;
    this.clock = clock;
    this.producer = producer;
    this.domains = Set.copyOf(run.spec().getDomains());
    this.key = run.runId().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Sends a measurement.
   *
   * @throws InvalidFeedbackException if no run could use it; nothing is sent
   * @throws FeedbackLostException if an earlier record was not acknowledged
   */
  public void publish(Measurement measurement) {
    check(measurement);
    List<DomainMeasure> entries = new ArrayList<>();
    measurement
        .domains()
        .forEach(
            (domain, total) -> entries.add(new DomainMeasure(domain, total.sum(), total.count())));
    send(
        TrainerFeedback.newBuilder()
            .setRunId(run.runId())
            .setTimeline(reporter.timeline())
            .setStep(measurement.step())
            .setTrainerStep(measurement.trainerStep())
            .setAttempt(measurement.attempt())
            .setWorldSize(reporter.worldSize())
            .setRank(reporter.rank())
            .setMetric(measurement.metric())
            .setEntries(entries)
            .setTimeMillis(clock.millis())
            .build());
  }

  /**
   * Says how far this rank has come; call it after publishing the feedback of the same step.
   *
   * @param batch last batch that was trained on; 0 before the first
   * @param trainerStep the trainer's own counter
   * @param oldestCheckpoint batch of the oldest checkpoint still kept; -1 when there is none
   * @throws InvalidFeedbackException if a number is out of its range; nothing is sent
   * @throws FeedbackLostException if an earlier record was not acknowledged
   */
  public void progress(long batch, long trainerStep, long oldestCheckpoint) {
    require(batch >= 0, "batch must not be negative: " + batch);
    require(
        oldestCheckpoint >= -1 && oldestCheckpoint <= batch,
        "oldestCheckpoint must be in [-1, " + batch + "]: " + oldestCheckpoint);
    send(
        TrainerProgress.newBuilder()
            .setRunId(run.runId())
            .setTimeline(reporter.timeline())
            .setBatch(batch)
            .setTrainerStep(trainerStep)
            .setWorldSize(reporter.worldSize())
            .setRank(reporter.rank())
            .setOldestCheckpoint(oldestCheckpoint)
            .setTimeMillis(clock.millis())
            .build());
  }

  /**
   * Waits until everything sent so far is acknowledged.
   *
   * @throws FeedbackLostException if something was not
   */
  public void flush() {
    producer.flush();
    requireNothingLost();
  }

  private void check(Measurement measurement) {
    require(measurement.step() >= 0, "step must not be negative: " + measurement.step());
    require(!measurement.attempt().isBlank(), "attempt must not be blank");
    require(!measurement.metric().isBlank(), "metric must not be blank");
    require(!measurement.domains().isEmpty(), "a measurement must have at least one domain");
    measurement.domains().forEach(this::check);
  }

  private void check(String domain, Total total) {
    require(
        domains.contains(domain),
        "unknown domain '"
            + domain
            + "': run "
            + run.runId()
            + " has "
            + String.join(", ", run.spec().getDomains()));
    require(
        Double.isFinite(total.sum()),
        "sum of domain '" + domain + "' must be finite: " + total.sum());
    require(
        total.count() >= 1,
        "count of domain '" + domain + "' must be at least 1: " + total.count());
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new InvalidFeedbackException(message);
    }
  }

  private void send(SpecificRecordBase message) {
    requireNothingLost();
    try {
      producer.send(
          new ProducerRecord<>(topic, 0, key, WireCodec.encode(message)),
          (metadata, error) -> {
            if (error != null) {
              failure.compareAndSet(null, error);
            }
          });
    } catch (KafkaException e) {
      failure.compareAndSet(null, e);
      requireNothingLost();
    }
  }

  private void requireNothingLost() {
    Exception lost = failure.get();
    if (lost != null) {
      throw new FeedbackLostException(topic, lost);
    }
  }

  /** Waits up to 10 seconds for what was sent; {@link #flush} first to know that it arrived. */
  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
