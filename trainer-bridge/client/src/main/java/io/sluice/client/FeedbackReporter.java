package io.sluice.client;

import io.sluice.client.Measurement.Total;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one rank's measurements and progress to its run, in order and asynchronously: a call takes
 * microseconds, and what cannot be sent while the broker is away waits for it. A record that is not
 * acknowledged, or one more than {@link #CAPACITY} that wait, fails the next call, and every one
 * after it: progress must not overtake the feedback of its step. A trainer checkpoint is complete
 * only after {@link #flush}.
 *
 * <p>Of the replicas of a rank only replica 0 reports; the calls of the others are checked and
 * dropped.
 */
public final class FeedbackReporter implements AutoCloseable {
  /** Most records that wait for the broker. */
  public static final int CAPACITY = 4096;

  private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration FLUSH_TIMEOUT = DELIVERY_TIMEOUT.plusSeconds(10);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final FeedbackSource source;
  private final InstantSource clock;
  private final Outbox outbox;
  private @Nullable RunSpec checkedFor;
  private Set<String> domains = Set.of();

  /** Opens the reporter of the rank that reads a stream, under the timelines that it follows. */
  public static FeedbackReporter open(
      KafkaAccess access, TrainerStream stream, InstantSource clock) {
    return open(access, (FeedbackSource) stream, clock);
  }

  /** Opens a reporter of one rank and timeline that takes the rank from nobody. */
  public static FeedbackReporter open(
      KafkaAccess access, RunInfo run, Reporter reporter, InstantSource clock) {
    return open(access, FeedbackSource.fixed(run, reporter), clock);
  }

  private static FeedbackReporter open(
      KafkaAccess access, FeedbackSource source, InstantSource clock) {
    String delivery = Long.toString(DELIVERY_TIMEOUT.toMillis());
    Map<String, String> settings =
        Map.of(
            "acks", "all",
            "enable.idempotence", "true",
            "linger.ms", "0",
            "max.block.ms", delivery,
            "delivery.timeout.ms", delivery);
    return new FeedbackReporter(
        source,
        access.topics().feedback(source.run().name()),
        clock,
        new KafkaProducer<>(
            access.with(settings), new ByteArraySerializer(), new ByteArraySerializer()));
  }

  FeedbackReporter(
      FeedbackSource source, String topic, InstantSource clock, Producer<byte[], byte[]> producer) {
    this.source = source;
    this.clock = clock;
    byte[] key = source.run().runId().getBytes(StandardCharsets.UTF_8);
    this.outbox = new Outbox(producer, topic, key, CAPACITY);
  }

  /**
   * Sends a measurement.
   *
   * @throws InvalidFeedbackException if no run could use it; nothing is sent
   * @throws FeedbackLostException if an earlier record was not acknowledged, or too many wait
   * @throws RankTakenException if another process took the rank
   */
  public void publish(Measurement measurement) {
    check(measurement);
    List<DomainMeasure> entries = new ArrayList<>(measurement.domains().size());
    measurement
        .domains()
        .forEach(
            (domain, total) -> entries.add(new DomainMeasure(domain, total.sum(), total.count())));
    TrainerRank rank = source.rank();
    send(
        new TrainerFeedback(
            source.run().runId(),
            source.timelineOf(measurement.step()),
            measurement.step(),
            measurement.trainerStep(),
            measurement.attempt(),
            rank.worldSize(),
            rank.rank(),
            measurement.metric(),
            entries,
            clock.millis()));
  }

  /**
   * Says how far this rank has come; call it after publishing the feedback of the same step.
   *
   * @param batch last batch that was trained on; 0 before the first
   * @param trainerStep the trainer's own counter
   * @param oldestCheckpoint batch of the oldest checkpoint still kept; -1 when there is none
   * @throws InvalidFeedbackException if a number is out of its range; nothing is sent
   * @throws FeedbackLostException if an earlier record was not acknowledged, or too many wait
   * @throws RankTakenException if another process took the rank
   */
  public void progress(long batch, long trainerStep, long oldestCheckpoint) {
    require(batch >= 0, () -> "batch must not be negative: " + batch);
    require(
        oldestCheckpoint >= -1 && oldestCheckpoint <= batch,
        () -> "oldestCheckpoint must be in [-1, " + batch + "]: " + oldestCheckpoint);
    TrainerRank rank = source.rank();
    send(
        new TrainerProgress(
            source.run().runId(),
            source.timeline(),
            batch,
            trainerStep,
            rank.worldSize(),
            rank.rank(),
            oldestCheckpoint,
            clock.millis()));
  }

  /**
   * Waits until everything sent so far is acknowledged, at most as long as Kafka tries to send it.
   *
   * @throws FeedbackLostException if something was not
   */
  public void flush() {
    outbox.flush(FLUSH_TIMEOUT);
  }

  private void check(Measurement measurement) {
    require(measurement.step() >= 0, () -> "step must not be negative: " + measurement.step());
    require(!measurement.attempt().isBlank(), () -> "attempt must not be blank");
    require(!measurement.metric().isBlank(), () -> "metric must not be blank");
    require(!measurement.domains().isEmpty(), () -> "a measurement must have at least one domain");
    RunInfo run = source.run();
    if (run.spec() != checkedFor) {
      checkedFor = run.spec();
      domains = Set.copyOf(run.spec().getDomains());
    }
    measurement.domains().forEach((domain, total) -> check(run, domain, total));
  }

  private void check(RunInfo run, String domain, Total total) {
    require(
        domains.contains(domain),
        () ->
            "unknown domain '"
                + domain
                + "': run "
                + run.runId()
                + " has "
                + String.join(", ", run.spec().getDomains()));
    require(
        Double.isFinite(total.sum()),
        () -> "sum of domain '" + domain + "' must be finite: " + total.sum());
    require(
        total.count() >= 1,
        () -> "count of domain '" + domain + "' must be at least 1: " + total.count());
  }

  private static void require(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new InvalidFeedbackException(message.get());
    }
  }

  private void send(SpecificRecordBase message) {
    source.requireHeld();
    if (source.rank().reports()) {
      outbox.put(message);
    }
  }

  /** Waits up to 10 seconds for what was sent; {@link #flush} first to know that it arrived. */
  @Override
  public void close() {
    outbox.close(CLOSE_TIMEOUT);
  }
}
