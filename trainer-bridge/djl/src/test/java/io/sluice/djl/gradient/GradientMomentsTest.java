package io.sluice.djl.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.gradient.GradientMoments.Moments;
import io.sluice.djl.measure.GradientAlignment;
import io.sluice.djl.measure.ProbeBatches;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TestingModels;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GradientMomentsTest {
  private static final ModelSize SIZE = new ModelSize(2, 16, 2, 32, 8);

  private final TrainingLoop loop =
      new TrainingLoop(SIZE, TrainerSettings.builder(1).microBatch(4).seed(9).threads(1).build());
  private final Random random = new Random(6);

  @AfterEach
  void close() {
    loop.close();
  }

  private Map<String, Moments> measured(Map<String, List<TokenBlock>> pools, int rows) {
    return new GradientMoments(SIZE, 2, true)
        .measure(loop.trainer(), new ProbeBatches(pools, rows), 0);
  }

  private double norm(List<TokenBlock> rows) {
    return new GradientAlignment(
            rows, new ProbeBatches(Map.of("rows", rows), rows.size()), SIZE, 4, true, false)
        .measure(loop.trainer(), 0)
        .targetNorm();
  }

  @Test
  void areThoseOfTheRowsGradients() {
    List<TokenBlock> rows = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      rows.add(TestingBlocks.random("noise", random, SIZE));
    }
    double squares = rows.stream().mapToDouble(row -> Math.pow(norm(List.of(row)), 2)).sum();
    double ofMean = Math.pow(norm(rows), 2);
    double variance = (squares - 4 * ofMean) / 3;
    int before = TestingModels.liveArraysInProcess();
    Moments found = measured(Map.of("noise", rows), 4).get("noise");
    assertThat(found.variance()).isPositive().isCloseTo(variance, offset(1e-4 * variance));
    assertThat(found.square()).isCloseTo(ofMean - variance / 4, offset(1e-4 * (1 + ofMean)));
    assertThat(TestingModels.liveArraysInProcess()).isEqualTo(before);
  }

  @Test
  void rowsThatAreAllTheSameHaveNoNoise() {
    TokenBlock row = TestingBlocks.random("noise", random, SIZE);
    Moments found = measured(Map.of("noise", List.of(row, row, row)), 3).get("noise");
    double square = Math.pow(norm(List.of(row)), 2);
    assertThat(found.variance()).isCloseTo(0, offset(1e-5 * square));
    assertThat(found.square()).isCloseTo(square, offset(1e-4 * square));
  }

  @Test
  void saysNothingOfASingleRow() {
    TokenBlock row = TestingBlocks.random("noise", random, SIZE);
    assertThat(measured(Map.of("noise", List.of(row, row)), 1)).isEmpty();
  }
}
