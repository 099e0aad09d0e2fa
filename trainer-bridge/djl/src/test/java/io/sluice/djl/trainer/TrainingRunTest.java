package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.client.error.StreamStalledException;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.BatchSource;
import io.sluice.djl.data.TestingBatchSource;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.measure.DomainEvaluation;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TestingModels;
import io.sluice.djl.model.TokenSum;
import io.sluice.djl.trainer.TrainingSummary.End;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrainingRunTest {
  private static final ModelSize SIZE = new ModelSize(1, 16, 2, 32, 8);

  @TempDir private Path directory;

  private final TestingFeedback feedback = new TestingFeedback();
  private final List<StepReport> reports = new ArrayList<>();
  private final List<Long> evaluations = new ArrayList<>();
  private final List<String> waits = new ArrayList<>();
  private final AtomicLong ticks = new AtomicLong();
  private long trainLossEvery;

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void sendsTheLossesOfARoundBeforeTheProgressOfItsStep() {
    TrainingSummary summary = train(settings(4), source(0));
    assertThat(feedback.sent)
        .containsExactly(
            "eval_loss 0 [even, odd]",
            "progress 0 oldest -1",
            "progress 1 oldest -1",
            "eval_loss 2 [even, odd]",
            "progress 2 oldest -1",
            "progress 3 oldest -1",
            "eval_loss 4 [even, odd]",
            "progress 4 oldest -1",
            "flush");
    assertThat(feedback.attempts).doesNotHaveDuplicates().hasSize(3);
    assertThat(evaluations).containsExactly(0L, 2L, 4L);
    assertThat(summary.end()).isEqualTo(End.COMPLETED);
    assertThat(summary.lastStep()).isEqualTo(4);
    assertThat(summary.tokens()).isEqualTo(4 * 4 * 8);
  }

  @Test
  void asksForABatchOnlyAfterTheFeedbackOfTheStepBefore() {
    TestingBatchSource source = source(0);
    source.onAsked =
        number ->
            assertThat(feedback.sent).last().isEqualTo("progress " + (number - 1) + " oldest -1");
    assertThat(train(settings(4), source).lastStep()).isEqualTo(4);
  }

  @Test
  void reportsEachStepWithTheTimeItWaited() {
    TestingBatchSource source = source(0);
    source.onAsked = number -> ticks.addAndGet(1_000 * number);
    TrainingSummary summary = train(settings(2), source);
    assertThat(reports).extracting(StepReport::step).containsExactly(1L, 2L);
    assertThat(reports).extracting(StepReport::waitNanos).containsExactly(1_000L, 2_000L);
    assertThat(reports.get(0).sequences()).isEqualTo(Map.of("even", 2, "odd", 2));
    assertThat(reports.get(0).weightsVersion()).isEqualTo(3);
    assertThat(reports.get(1).loss()).isEqualTo(summary.lastLoss());
    assertThat(summary.waitNanos()).isEqualTo(3_000);
  }

  @Test
  void waitsForABatchAsLongAsItTakes() {
    TestingBatchSource source = source(0);
    AtomicLong stalls = new AtomicLong(20);
    source.onAsked =
        number -> {
          if (number == 2 && stalls.getAndDecrement() > 0) {
            Duration asked = Duration.ofMinutes(1);
            throw new StreamStalledException(number, 0, 4, asked, "the run is paused");
          }
        };
    assertThat(train(settings(2), source).end()).isEqualTo(End.COMPLETED);
    assertThat(waits).hasSize(20).startsWith("2 PT1M the run is paused");
    assertThat(waits).endsWith("2 PT20M the run is paused");
  }

  @Test
  void endsWithTheRun() {
    TestingBatchSource source = source(0);
    source.last = Optional.of(3L);
    TrainingSummary summary = train(settings(10), source);
    assertThat(summary.end()).isEqualTo(End.RUN_ENDED);
    assertThat(summary.detail())
        .isEqualTo("run r-1 is completed: batch 3 was the last one handed out");
    assertThat(summary.lastStep()).isEqualTo(3);
    assertThat(feedback.sent).last().isEqualTo("flush");
  }

  @ParameterizedTest
  @CsvSource({"stopped, RUN_ENDED", "failed, RUN_LOST", "deleted, RUN_LOST"})
  void tellsARunThatWasLostFromOneThatEnded(String state, End end) {
    TestingBatchSource source = source(0);
    source.last = Optional.of(3L);
    source.state = state;
    TrainingSummary summary = train(settings(10), source);
    assertThat(summary.end()).isEqualTo(end);
    assertThat(summary.detail()).startsWith("run r-1 is " + state);
    assertThat(feedback.sent).last().isEqualTo("flush");
  }

  @Test
  void anInterruptEndsItBetweenTwoSteps() {
    TestingBatchSource source = source(0);
    source.onAsked =
        number -> {
          if (number == 2) {
            Thread.currentThread().interrupt();
          }
        };
    TrainingSummary summary = train(settings(10), source);
    assertThat(summary.end()).isEqualTo(End.INTERRUPTED);
    assertThat(summary.lastStep()).isEqualTo(2);
    assertThat(feedback.sent).last().isEqualTo("progress 2 oldest -1");
  }

  @Test
  void anInterruptEndsTheWaitForABatch() {
    TestingBatchSource source = source(0);
    source.onAsked = number -> source.interrupted = number == 2;
    assertThat(train(settings(10), source).end()).isEqualTo(End.INTERRUPTED);
    assertThat(reports).hasSize(1);
  }

  @Test
  void sendsNothingThatIsNotFinite() {
    TestingBatchSource source = source(0);
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(4))) {
      TestingModels.spoil(loop);
      TrainingRun run = run(settings(4), loop, source, Optional.empty());
      assertThatExceptionOfType(DivergedException.class)
          .isThrownBy(run::train)
          .withMessageContaining("must be finite, it was not published: NaN");
    }
    assertThat(feedback.sent).isEmpty();
  }

  @Test
  void resumedTrainingEqualsOneThatNeverStopped() throws IOException {
    train(settings(6), source(0));
    List<Double> uninterrupted = losses();
    CheckpointStore store = new CheckpointStore(directory, 2);
    try (TrainingLoop loop = new TrainingLoop(SIZE, keeping(4, 3))) {
      run(keeping(4, 3), loop, source(0), Optional.of(store)).train();
    }
    CheckpointStore.Stored stored = newest(store);
    assertThat(stored.state().batch()).isEqualTo(3);
    reports.clear();
    feedback.sent.clear();
    try (TrainingLoop loop = new TrainingLoop(SIZE, keeping(6, 100))) {
      loop.load(stored.directory());
      run(keeping(6, 100), loop, source(3), Optional.of(store)).train();
    }
    assertThat(losses()).isEqualTo(uninterrupted.subList(3, 6));
    assertThat(feedback.sent).startsWith("progress 3 oldest 3", "eval_loss 4 [even, odd]");
  }

  @Test
  void aCheckpointExistsOnlyOnceTheFeedbackOfItsBatchesArrived() {
    CheckpointStore store = new CheckpointStore(directory, 2);
    List<String> seen = new ArrayList<>();
    feedback.onFlush =
        () -> seen.add(feedback.sent.get(feedback.sent.size() - 1) + ", kept " + store.oldest());
    try (TrainingLoop loop = new TrainingLoop(SIZE, keeping(3, 2))) {
      run(keeping(3, 2), loop, source(0), Optional.of(store)).train();
    }
    assertThat(seen)
        .containsExactly("progress 2 oldest -1, kept -1", "progress 3 oldest 2, kept 2");
  }

  @Test
  void trainLossesAreThoseOfTheOrdinarySteps() {
    trainLossEvery = 4;
    train(settings(4), source(0));
    Measurement sent = feedback.measurements.get(feedback.measurements.size() - 1);
    assertThat(sent.metric()).isEqualTo("train_loss");
    assertThat(sent.step()).isEqualTo(4);
    sent.domains()
        .forEach(
            (domain, total) -> {
              TokenSum steps =
                  reports.stream()
                      .map(report -> report.losses().get(domain))
                      .reduce(TokenSum.NONE, TokenSum::plus);
              assertThat(total).isEqualTo(new Total(steps.sum(), steps.count()));
              assertThat(total.count()).isEqualTo(4 * 2 * 8);
            });
    double loss = reports.get(0).losses().values().stream().mapToDouble(TokenSum::sum).sum();
    assertThat(loss / 32).isCloseTo(reports.get(0).loss(), offset(1e-12));
  }

  @Test
  void aTrainLossCoversItsRoundEvenWhenTheTrainingWasResumedWithinIt() throws IOException {
    trainLossEvery = 4;
    train(settings(4), source(0));
    Measurement uninterrupted = feedback.measurements.get(feedback.measurements.size() - 1);
    CheckpointStore store = new CheckpointStore(directory, 2);
    try (TrainingLoop loop = new TrainingLoop(SIZE, keeping(3, 3))) {
      run(keeping(3, 3), loop, source(0), Optional.of(store)).train();
    }
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(4))) {
      loop.load(newest(store).directory());
      run(settings(4), loop, source(3), Optional.empty()).train();
    }
    Measurement resumed = feedback.measurements.get(feedback.measurements.size() - 1);
    assertThat(resumed.domains()).isEqualTo(uninterrupted.domains());
  }

  @Test
  void refusesTheCheckpointOfAnotherModel() throws IOException {
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(1))) {
      loop.save(directory);
    }
    ModelSize wider = new ModelSize(1, 32, 2, 32, 8);
    try (TrainingLoop loop = new TrainingLoop(wider, settings(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> loop.load(directory))
          .withMessageContaining("must have the model's shape (");
    }
  }

  private List<Double> losses() {
    return reports.stream().map(StepReport::loss).toList();
  }

  private TrainingSummary train(TrainerSettings settings, TestingBatchSource source) {
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings)) {
      return run(settings, loop, source, Optional.empty()).train();
    }
  }

  private TrainingRun run(
      TrainerSettings settings,
      TrainingLoop loop,
      BatchSource source,
      Optional<CheckpointStore> store) {
    List<TokenBlock> blocks = TestingBlocks.repetitive(2, SIZE);
    Map<String, List<TokenBlock>> heldOut = new TreeMap<>();
    heldOut.put("even", blocks.subList(0, 1));
    heldOut.put("odd", blocks.subList(1, 2));
    DomainEvaluation evaluation = new DomainEvaluation(heldOut, SIZE, settings.microBatch(), true);
    AtomicLong nonce = new AtomicLong();
    List<ScheduledMeter> meters =
        List.of(
            ScheduledMeter.fromStart(evaluation, 2),
            ScheduledMeter.afterTraining(loop.trainLoss(), trainLossEvery));
    StepFeedback steps =
        new StepFeedback(
            loop.trainer(),
            step -> meters,
            feedback,
            () -> "attempt-" + nonce.incrementAndGet(),
            () -> store.map(CheckpointStore::oldest).orElse(-1L),
            observer());
    return new TrainingRun(settings, loop, source, feedback, steps, store, observer(), ticks::get);
  }

  private static CheckpointStore.Stored newest(CheckpointStore store) {
    List<CheckpointStore.Stored> all = store.all();
    return all.get(all.size() - 1);
  }

  private TrainingObserver observer() {
    return new TrainingObserver() {
      @Override
      public void onWait(long batch, Duration waited, String why) {
        waits.add(batch + " " + waited + " " + why);
      }

      @Override
      public void onStep(StepReport report) {
        reports.add(report);
      }

      @Override
      public void onEvaluation(long step, Map<String, Double> losses) {
        evaluations.add(step);
      }
    };
  }

  /** Four blocks for each batch, other ones each time. */
  private static TestingBatchSource source(long after) {
    return new TestingBatchSource(
        after,
        batch -> {
          Random random = new Random(batch);
          List<TokenBlock> blocks = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            blocks.add(TestingBlocks.random(i % 2 == 0 ? "even" : "odd", random, SIZE));
          }
          return blocks;
        });
  }

  private static TrainerSettings settings(long steps) {
    return TrainerSettings.builder(steps).microBatch(2).seed(5).threads(1).build();
  }

  private TrainerSettings keeping(long steps, long every) {
    return TrainerSettings.builder(steps)
        .microBatch(2)
        .seed(5)
        .threads(1)
        .checkpoints(new CheckpointSettings(directory, every, 2))
        .build();
  }
}
