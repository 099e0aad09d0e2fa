package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.measure.DomainEvaluation;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TestingModels;
import io.sluice.djl.trainer.TrainingLoop.StepResult;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TrainingLoopTest {
  private static final ModelSize SIZE = new ModelSize(2, 16, 2, 32, 8);
  private static final List<TokenBlock> BLOCKS = TestingBlocks.repetitive(8, SIZE);

  @Test
  void lossFallsOnRepetitiveData() {
    List<Double> losses = losses(settings(8), 60);
    assertThat(losses.get(0)).isCloseTo(Math.log(32), offset(0.2));
    assertThat(losses.get(59)).isLessThan(0.5);
  }

  @Test
  void aSeedGivesTheSameLossesAgain() {
    assertThat(losses(settings(4), 20)).isEqualTo(losses(settings(4), 20));
  }

  @Test
  void aSeedGivesTheSameLossesWhereverItsNumbersLieInMemory() {
    List<Double> expected = losses(settings(4), 5);
    List<ByteBuffer> inBetween = new ArrayList<>();
    for (int bytes = 16; bytes < 400; bytes += 16) {
      inBetween.add(ByteBuffer.allocateDirect(bytes));
      assertThat(losses(settings(4), 5)).isEqualTo(expected);
    }
    assertThat(inBetween).hasSize(24);
  }

  /** A number that lay in Java's memory was gone before the backward pass came back to it. */
  @Test
  void aSeedGivesTheSameLossesWhileGarbageIsCollected() throws InterruptedException {
    List<Double> expected = losses(settings(4), 30);
    AtomicBoolean done = new AtomicBoolean();
    Thread collecting =
        new Thread(
            () -> {
              while (!done.get()) {
                System.gc();
              }
            });
    collecting.start();
    try {
      assertThat(losses(settings(4), 30)).isEqualTo(expected);
    } finally {
      done.set(true);
      collecting.join();
    }
  }

  @Test
  void microBatchesAddUpToTheWholeBatch() {
    List<Double> whole = losses(settings(8), 10);
    List<Double> parts = losses(settings(3), 10);
    for (int i = 0; i < whole.size(); i++) {
      assertThat(parts.get(i)).isCloseTo(whole.get(i), offset(1e-3));
    }
  }

  @Test
  void lossIsTheMeanOverTrainedTokens() {
    TokenBlock masked =
        TestingBlocks.packed("a", List.of(9), List.of(2, 6), 1, 2, 3, 4, 1, 2, 3, 4, 1);
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(1))) {
      StepResult result = loop.step(List.of(masked, BLOCKS.get(0)));
      assertThat(result.tokens()).isEqualTo(10);
      assertThat(result.loss()).isCloseTo(Math.log(32), offset(0.3));
      assertThat(result.gradientNorm()).isPositive();
    }
  }

  @Test
  void aBatchWithoutTrainedTokensChangesNothing() {
    TokenBlock untrained =
        TestingBlocks.packed("", List.of(9), List.of(0, 8), 0, 0, 0, 0, 0, 0, 0, 0, 0);
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(4))) {
      float[] before = loop.parameters().get("tokenEmbedding").toFloatArray();
      assertThat(loop.step(List.of(untrained))).isEqualTo(new StepResult(0, 0, 0, Map.of()));
      assertThat(loop.parameters().get("tokenEmbedding").toFloatArray()).isEqualTo(before);
    }
  }

  @Test
  void refusesALossThatIsNotFinite() {
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(4))) {
      loop.step(BLOCKS);
      TestingModels.spoil(loop);
      float[] before = loop.parameters().get("tokenEmbedding").toFloatArray();
      assertThatExceptionOfType(DivergedException.class)
          .isThrownBy(() -> loop.step(BLOCKS))
          .withMessage(
              "loss of step 2 must be finite: NaN; lower the learning rate or go back to a"
                  + " checkpoint");
      assertThat(loop.parameters().get("tokenEmbedding").toFloatArray()).isEqualTo(before);
    }
  }

  @Test
  void stepsAndEvaluationsLeaveNoArrayBehind() {
    DomainEvaluation evaluation = new DomainEvaluation(Map.of("a", BLOCKS), SIZE, 3, true);
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(3))) {
      loop.step(BLOCKS);
      evaluation.evaluate(loop.trainer());
      int before = TestingModels.liveArrays(loop);
      for (int i = 0; i < 200; i++) {
        loop.step(BLOCKS);
      }
      evaluation.evaluate(loop.trainer());
      assertThat(TestingModels.liveArrays(loop)).isEqualTo(before);
    }
  }

  @Test
  void closingFreesEveryArray() {
    TrainingLoop loop = new TrainingLoop(SIZE, settings(4));
    int others = TestingModels.liveArraysInProcess() - TestingModels.liveArrays(loop);
    loop.step(BLOCKS);
    loop.close();
    assertThat(TestingModels.liveArraysInProcess()).isEqualTo(others);
  }

  @Test
  void trainsInAnyThread() throws InterruptedException {
    List<Double> here = losses(settings(4), 5);
    List<Double> there = new ArrayList<>();
    Thread thread = new Thread(() -> there.addAll(losses(settings(4), 5)));
    thread.start();
    thread.join();
    assertThat(there).isEqualTo(here);
  }

  @Test
  void randomDataStaysAtTheEntropy() {
    Random random = new Random(3);
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings(8))) {
      double last = 0;
      for (int step = 0; step < 20; step++) {
        List<TokenBlock> batch = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          batch.add(TestingBlocks.random("a", random, SIZE));
        }
        last = loop.step(batch).loss();
      }
      assertThat(last).isGreaterThan(Math.log(32) - 0.2);
    }
  }

  private static TrainerSettings settings(int microBatch) {
    return TrainerSettings.builder(100)
        .microBatch(microBatch)
        .learningRate(1e-2, 5)
        .seed(4)
        .threads(1)
        .build();
  }

  private static List<Double> losses(TrainerSettings settings, int steps) {
    List<Double> losses = new ArrayList<>();
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings)) {
      for (int i = 0; i < steps; i++) {
        losses.add(loop.step(BLOCKS).loss());
      }
    }
    return losses;
  }
}
