package io.sluice.client.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.FeedbackLostException;
import io.sluice.client.error.InvalidFeedbackException;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.FeedbackSource;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.run.WaitCause;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ChainHash;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.ExposedWait;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FeedbackReporterTest {
  private static final RunInfo RUN = new TestingStream(1, 4).run();
  private static final Optional<ExposedTime> EXPOSED =
      Optional.of(
          new ExposedTime(
              7_000_000L, Map.of(WaitCause.GRANT, 5_000_000L, WaitCause.DECODE, 1_999_999L)));

  private final MockProducer<byte[], byte[]> producer = producer(true);
  private final FeedbackReporter publisher =
      reporter(FeedbackSource.fixed(RUN, new Reporter(1, 8, 3)), producer);

  private static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
    return new MockProducer<>(
        acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static FeedbackReporter reporter(
      FeedbackSource source, MockProducer<byte[], byte[]> producer) {
    return new FeedbackReporter(
        source, "sluice.feedback.r", InstantSource.fixed(Instant.ofEpochMilli(42)), producer);
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void sendsSumsAndThenProgressToTheOnePartition() {
    publisher.publish(loss(Map.of("prose", new Total(12.5, 4))));
    publisher.progress(10, 11, 5);
    publisher.flush();

    assertThat(producer.history()).allMatch(message -> message.partition() == 0);
    List<SpecificRecordBase> sent =
        producer.history().stream().map(message -> WireCodec.decode(message.value())).toList();
    assertThat(sent)
        .containsExactly(
            new TrainerFeedback(
                "r-1",
                1,
                10L,
                11L,
                "nonce",
                8,
                3,
                "eval_loss",
                List.of(new DomainMeasure("prose", 12.5, 4L)),
                42L),
            new TrainerProgress("r-1", 1, 10L, 11L, 8, 3, 5L, 42L, null, null));
  }

  @Test
  void refusesWhatNoRunCouldUse() {
    assertRefused(
        loss(Map.of("sql", new Total(1, 1))),
        "unknown domain 'sql': run r-1 has java, prose, config");
    assertRefused(
        loss(Map.of("java", new Total(Double.NaN, 1))), "sum of domain 'java' must be finite: NaN");
    assertRefused(
        loss(Map.of("java", new Total(Double.POSITIVE_INFINITY, 1))),
        "sum of domain 'java' must be finite: Infinity");
    assertRefused(
        loss(Map.of("java", new Total(1, 0))), "count of domain 'java' must be at least 1: 0");
    assertRefused(loss(Map.of()), "a measurement must have at least one domain");
    assertRefused(
        Measurement.evalLoss(-1, 0, "nonce", Map.of("java", new Total(1, 1))),
        "step must not be negative: -1");
    assertRefused(
        Measurement.evalLoss(1, 0, " ", Map.of("java", new Total(1, 1))),
        "attempt must not be blank");
    assertThatThrownBy(() -> publisher.progress(3, 3, 4))
        .isInstanceOf(InvalidFeedbackException.class)
        .hasMessage("oldestCheckpoint must be in [-1, 3]: 4");
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void valuesAreOfWhatTheRunSays() {
    RequiredMetric hardness =
        RequiredMetric.newBuilder()
            .setName("hardness")
            .setEvery(3)
            .setOf(List.of("easy", "hard"))
            .build();
    RunInfo run =
        new RunInfo("r-1", RunSpec.newBuilder(RUN.spec()).setMetrics(List.of(hardness)).build());
    try (FeedbackReporter reporter =
        reporter(FeedbackSource.fixed(run, Reporter.single()), producer)) {
      reporter.publish(new Measurement(3, 3, "n", "hardness", Map.of("easy", new Total(1, 1))));
      reporter.flush();
      assertThat(producer.history()).hasSize(1);
      assertThatThrownBy(
              () ->
                  reporter.publish(
                      new Measurement(3, 3, "n", "hardness", Map.of("java", new Total(1, 1)))))
          .isInstanceOf(InvalidFeedbackException.class)
          .hasMessage("'java' is not what hardness is of: run r-1 has easy, hard");
      assertThatThrownBy(() -> reporter.publish(loss(Map.of("easy", new Total(1, 1)))))
          .isInstanceOf(InvalidFeedbackException.class)
          .hasMessageStartingWith("unknown domain 'easy': run r-1 has java");
    }
  }

  private void assertRefused(Measurement measurement, String message) {
    assertThatThrownBy(() -> publisher.publish(measurement))
        .isInstanceOf(InvalidFeedbackException.class)
        .hasMessage(message);
  }

  @Test
  void takesNothingMoreOnceARecordIsLost() {
    MockProducer<byte[], byte[]> failing = producer(true);
    failing.sendException = new TimeoutException("too late");
    FeedbackReporter reporter = reporter(FeedbackSource.fixed(RUN, Reporter.single()), failing);
    reporter.publish(loss(Map.of("java", new Total(1, 1))));
    assertThatThrownBy(reporter::flush).isInstanceOf(FeedbackLostException.class);
    assertThatThrownBy(() -> reporter.progress(10, 11, -1))
        .isInstanceOf(FeedbackLostException.class)
        .hasMessage("feedback was not acknowledged by sluice.feedback.r: too late");
    assertThat(failing.history()).isEmpty();
    reporter.close();
    assertThat(failing.closed()).isTrue();
  }

  @Test
  void neverWaitsForTheBrokerButKeepsOnlySoMuch() {
    MockProducer<byte[], byte[]> silent = producer(false);
    FeedbackReporter reporter = reporter(FeedbackSource.fixed(RUN, Reporter.single()), silent);
    for (long batch = 1; batch <= FeedbackReporter.CAPACITY; batch++) {
      reporter.progress(batch, batch, -1);
    }
    assertThatThrownBy(() -> reporter.progress(5000, 5000, -1))
        .isInstanceOf(FeedbackLostException.class)
        .hasMessage(
            "feedback was not acknowledged by sluice.feedback.r: 4096 records wait for the broker,"
                + " the most that are kept");
    reporter.close();
  }

  @Test
  void onlyReplicaZeroReports() {
    FeedbackSource peer =
        new TestingSource(
            RUN,
            TrainerRank.of(1, 2).withReplica(3),
            Timelines.startingAfter(0, 0, ChainHash.START));
    FeedbackReporter reporter = reporter(peer, producer);
    reporter.publish(loss(Map.of("java", new Total(1, 1))));
    reporter.progress(10, 10, -1);
    assertThatThrownBy(() -> reporter.publish(loss(Map.of("sql", new Total(1, 1)))))
        .isInstanceOf(InvalidFeedbackException.class);
    reporter.flush();
    assertThat(producer.history()).isEmpty();
  }

  /** Batches up to 8 are of timeline 0, those after it of timeline 1. */
  @Test
  void feedbackIsOfTheTimelineThatOwnsItsStepAndProgressOfTheNewestWithWhatWasWaited() {
    FeedbackSource rewound =
        new TestingSource(
            RUN,
            TrainerRank.single(),
            Timelines.startingAfter(0, 0, ChainHash.START).opening(1, 8, 32));
    FeedbackReporter reporter = reporter(rewound, producer);
    reporter.publish(Measurement.evalLoss(8, 8, "n", Map.of("java", new Total(1, 1))));
    reporter.publish(Measurement.evalLoss(9, 9, "n", Map.of("java", new Total(1, 1))));
    new ProgressReporter(reporter, 4, () -> 3).trained(7);
    new ProgressReporter(reporter, 4, () -> 3).trained(8);
    reporter.flush();
    ExposedWait waited = new ExposedWait(7L, 5L, 0L, 0L, 0L, 0L, 1L);
    assertThat(producer.history().stream().map(message -> WireCodec.decode(message.value())))
        .extracting(message -> message.get("timeline"))
        .containsExactly(0, 1, 1);
    assertThat(WireCodec.decode(TrainerProgress.class, producer.history().get(2).value()))
        .isEqualTo(new TrainerProgress("r-1", 1, 8L, 8L, 1, 0, 3L, 42L, waited, null));
  }

  @Test
  void progressSaysWhatWasReadInAsManyRecordsAsThatTakes() {
    List<ReadBatches> parts =
        List.of(new ReadBatches(1L, List.of(4L, -5L)), new ReadBatches(3L, List.of(6L)));
    FeedbackReporter reporter = reporter(new ReadingSource(parts), producer);
    reporter.progress(3, 3, 2);
    reporter.flush();
    assertThat(producer.history().stream().map(message -> WireCodec.decode(message.value())))
        .containsExactly(
            new TrainerProgress("r-1", 0, 3L, 3L, 1, 0, 2L, 42L, null, parts.get(0)),
            new TrainerProgress("r-1", 0, 3L, 3L, 1, 0, 2L, 42L, null, parts.get(1)));
  }

  @Test
  void measuresEveryDomainOrNone() {
    double[] sums = {1, 2, 3};
    long[] counts = {4, 5, 6};
    assertThat(Measurement.ofAll(RUN, 3, "n", "eval_loss", sums, counts).domains())
        .isEqualTo(
            Map.of("java", new Total(1, 4), "prose", new Total(2, 5), "config", new Total(3, 6)))
        .containsEntry("config", new Total(3, 6))
        .doesNotContainKey("sql");
    assertThatThrownBy(() -> Measurement.ofAll(RUN, 3, "n", "eval_loss", new double[] {1}, counts))
        .isInstanceOf(InvalidFeedbackException.class)
        .hasMessage(
            "sums and counts must have one value for each of the 3 domains of run r-1: 1 and 3");
  }

  /** What is measured next is often written into the same arrays, or the same map. */
  @Test
  void sendsWhatWasMeasuredWhenItWasMeasured() {
    double[] sums = {1, 2, 3};
    long[] counts = {4, 5, 6};
    Map<String, Total> totals = new LinkedHashMap<>(Map.of("prose", new Total(7, 8)));
    publisher.publish(Measurement.ofAll(RUN, 3, "n", "eval_loss", sums, counts));
    publisher.publish(loss(totals));
    Arrays.fill(sums, 9);
    Arrays.fill(counts, 9);
    totals.put("prose", new Total(9, 9));
    publisher.flush();
    assertThat(producer.history().stream().map(message -> WireCodec.decode(message.value())))
        .extracting(message -> ((TrainerFeedback) message).getEntries())
        .containsExactly(
            List.of(
                new DomainMeasure("java", 1.0, 4L),
                new DomainMeasure("prose", 2.0, 5L),
                new DomainMeasure("config", 3.0, 6L)),
            List.of(new DomainMeasure("prose", 7.0, 8L)));
  }

  /** A rank that reads batches. */
  private record ReadingSource(List<ReadBatches> parts) implements FeedbackSource {
    @Override
    public RunInfo run() {
      return RUN;
    }

    @Override
    public TrainerRank rank() {
      return TrainerRank.single();
    }

    @Override
    public int timelineOf(long step) {
      return 0;
    }

    @Override
    public int timeline() {
      return 0;
    }

    @Override
    public boolean waits() {
      return false;
    }

    @Override
    public Optional<ExposedTime> exposed() {
      return Optional.empty();
    }

    @Override
    public List<ReadBatches> read(long batch) {
      return parts;
    }

    @Override
    public void requireHeld() {
      // Nobody takes it.
    }
  }

  /** A rank that somebody may take. */
  private record TestingSource(RunInfo run, TrainerRank rank, Timelines timelines)
      implements FeedbackSource {
    @Override
    public int timelineOf(long step) {
      return timelines.owner(step);
    }

    @Override
    public int timeline() {
      return timelines.newest();
    }

    @Override
    public boolean waits() {
      return false;
    }

    @Override
    public Optional<ExposedTime> exposed() {
      return EXPOSED;
    }

    @Override
    public void requireHeld() {
      // Nobody takes it.
    }
  }

  private static Measurement loss(Map<String, Total> domains) {
    return Measurement.evalLoss(10, 11, "nonce", domains);
  }
}
