package io.sluice.djl.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.djl.ndarray.types.Shape;
import ai.djl.training.EasyTrain;
import ai.djl.training.dataset.Batch;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StreamDatasetTest {
  private static final ModelSize SIZE = new ModelSize(1, 16, 2, 32, 8);
  private static final TrainerSettings SETTINGS =
      TrainerSettings.builder(50).learningRate(1e-2, 0).build();

  private final TestingBatchSource source =
      new TestingBatchSource(0, batch -> TestingBlocks.repetitive(4, SIZE));
  private final List<Long> steps = new ArrayList<>();

  @Test
  void easyTrainReportsEachStepBeforeTheNextBatchIsAskedFor() throws Exception {
    source.onAsked = number -> assertThat(steps).hasSize((int) number - 1);
    try (TrainingLoop loop = new TrainingLoop(SIZE, SETTINGS)) {
      float[] before = loop.parameters().get("tokenEmbedding").toFloatArray();
      EasyTrain.fit(loop.trainer(), 1, dataset(5), null);
      assertThat(loop.parameters().get("tokenEmbedding").toFloatArray()).isNotEqualTo(before);
    }
    assertThat(steps).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void givesAGlobalBatchAsOneBatch() {
    try (TrainingLoop loop = new TrainingLoop(SIZE, SETTINGS)) {
      Iterator<Batch> batches = dataset(2).getData(loop.trainer().getManager()).iterator();
      try (Batch batch = batches.next()) {
        assertThat(batch.getSize()).isEqualTo(4);
        assertThat(batch.getProgress()).isEqualTo(1);
        assertThat(batch.getData().getShapes())
            .containsExactly(new Shape(4, 8), new Shape(4, 8), new Shape(4, 8));
        assertThat(batch.getLabels().get(0).toLongArray()).startsWith(2, 3, 4, 1, 2, 3, 4, 1);
      }
      batches.next().close();
      assertThatExceptionOfType(NoSuchElementException.class)
          .isThrownBy(batches::next)
          .withMessage("no batch after batch 2 of 2");
    }
  }

  @Test
  void endsWithTheStream() throws Exception {
    source.last = Optional.of(2L);
    try (TrainingLoop loop = new TrainingLoop(SIZE, SETTINGS)) {
      Iterator<Batch> batches = dataset(9).getData(loop.trainer().getManager()).iterator();
      batches.next().close();
      batches.next().close();
      assertThat(batches.hasNext()).isFalse();
    }
    assertThat(steps).containsExactly(1L, 2L);
  }

  private StreamDataset dataset(long last) {
    return new StreamDataset(source, SIZE, true, last, Duration.ofSeconds(1), steps::add);
  }
}
