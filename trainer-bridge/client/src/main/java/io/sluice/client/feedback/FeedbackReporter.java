package io.sluice.client.feedback;

import io.sluice.client.error.FeedbackLostException;
import io.sluice.client.error.InvalidFeedbackException;
import io.sluice.client.error.RankTakenException;
import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.FeedbackSource;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.Loader;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
 * only after {@link #flush}. While the trainer waits for a batch, what it said last is said again
 * now and then, for it may have been lost since.
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
  private final String runId;
  private final Outbox outbox;
  private final Repeater repeater;
  private final OpenRounds rounds = new OpenRounds();
  private @Nullable List<String> checkedFor;
  private Set<String> measured = Set.of();

  /** Opens the reporter of the rank that reads a stream, under the timelines that it follows. */
  public static FeedbackReporter open(KafkaAccess access, Loader stream, InstantSource clock) {
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
    this.runId = source.run().runId();
    byte[] key = runId.getBytes(StandardCharsets.UTF_8);
    this.outbox = new Outbox(producer, topic, key, CAPACITY);
    this.repeater = new Repeater(source, outbox, new Repetition(System::nanoTime, new Random()));
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
    int timeline = source.timelineOf(measurement.step());
    long now = clock.millis();
    long openTo = rounds.openTo(source.run().spec(), measurement.step());
    send(() -> message(measurement, timeline, now), openTo);
  }

  private TrainerFeedback message(Measurement measurement, int timeline, long timeMillis) {
    TrainerRank rank = source.rank();
    return new TrainerFeedback(
        runId,
        timeline,
        measurement.step(),
        measurement.trainerStep(),
        measurement.attempt(),
        rank.worldSize(),
        rank.rank(),
        measurement.metric(),
        entries(measurement.totals()),
        timeMillis);
  }

  private static List<DomainMeasure> entries(DomainTotals totals) {
    List<DomainMeasure> entries = new ArrayList<>(totals.size());
    for (int place = 0; place < totals.size(); place++) {
      entries.add(
          new DomainMeasure(totals.names().get(place), totals.sum(place), totals.count(place)));
    }
    return entries;
  }

  /**
   * Says how far this rank has come, and what the batches were that it has not said so of yet; call
   * it after publishing the feedback of the same step.
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
    TrainerProgress.Builder message =
        TrainerProgress.newBuilder()
            .setRunId(runId)
            .setTimeline(source.timeline())
            .setBatch(batch)
            .setTrainerStep(trainerStep)
            .setWorldSize(rank.worldSize())
            .setRank(rank.rank())
            .setOldestCheckpoint(oldestCheckpoint)
            .setTimeMillis(clock.millis())
            .setExposed(source.exposed().map(ExposedTime::toWire).orElse(null));
    List<ReadBatches> read = source.read(batch);
    for (ReadBatches part : read) {
      TrainerProgress said = message.setRead(part).build();
      send(() -> said, 0);
    }
    if (read.isEmpty()) {
      TrainerProgress said = message.build();
      send(() -> said, 0);
    }
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
    DomainTotals totals = measurement.totals();
    require(!totals.isEmpty(), () -> "a measurement must have at least one domain");
    checkNames(measurement.metric(), totals.names());
    int place = totals.firstUnusable();
    require(place < 0, () -> unusable(totals, place));
  }

  /** What the metric is of needs no look where it is named as the run has it, in its order. */
  private void checkNames(String metric, List<String> names) {
    RunInfo run = source.run();
    List<String> of = of(run.spec(), metric);
    List<String> own = of.isEmpty() ? run.spec().getDomains() : of;
    if (names == own || names.equals(own)) {
      return;
    }
    if (!own.equals(checkedFor)) {
      checkedFor = own;
      measured = Set.copyOf(own);
    }
    for (String name : names) {
      require(
          measured.contains(name),
          () ->
              (of.isEmpty()
                      ? "unknown domain '" + name + "'"
                      : "'" + name + "' is not what " + metric + " is of")
                  + ": run "
                  + runId
                  + " has "
                  + String.join(", ", own));
    }
  }

  /** What the run's rounds say that the values are of; empty for its domains. */
  private static List<String> of(RunSpec spec, String metric) {
    return spec.getMetrics() == null
        ? List.of()
        : spec.getMetrics().stream()
            .filter(required -> required.getName().equals(metric))
            .findFirst()
            .map(RequiredMetric::getOf)
            .orElse(List.of());
  }

  private static String unusable(DomainTotals totals, int place) {
    String domain = totals.names().get(place);
    return Double.isFinite(totals.sum(place))
        ? "count of domain '" + domain + "' must be at least 1: " + totals.count(place)
        : "sum of domain '" + domain + "' must be finite: " + totals.sum(place);
  }

  private static void require(boolean holds, Supplier<String> message) {
    if (!holds) {
      throw new InvalidFeedbackException(message.get());
    }
  }

  private void send(Supplier<SpecificRecordBase> message, long openTo) {
    source.requireHeld();
    if (source.rank().reports()) {
      outbox.put(() -> encode(message.get(), openTo));
      repeater.speaks();
    }
  }

  private byte[] encode(SpecificRecordBase message, long openTo) {
    byte[] value = WireCodec.encode(message);
    repeater.said(message, value, openTo);
    return value;
  }

  /** Waits up to 10 seconds for what was sent; {@link #flush} first to know that it arrived. */
  @Override
  public void close() {
    repeater.close();
    outbox.close(CLOSE_TIMEOUT);
  }
}
