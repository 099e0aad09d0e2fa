package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.client.run.StreamState;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.model.ModelSize;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BesideModelsTest {
  private static final ModelSize SIZE = new ModelSize(1, 16, 2, 32, 8);
  private static final List<TokenBlock> BLOCKS = TestingBlocks.repetitive(8, SIZE);

  @TempDir Path directory;
  private Path checkpoint = Path.of("");
  private double learned;

  @BeforeEach
  void train() {
    CheckpointStore store = new CheckpointStore(directory, 3);
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings().build())) {
      store.write(StreamState.start("r"), loop::save);
      for (int step = 0; step < 30; step++) {
        loop.step(BLOCKS);
      }
      store.write(new StreamState("r", 0, 30, 240), loop::save);
      learned = loop.step(BLOCKS).loss();
    }
    checkpoint = directory.resolve("batch-000000000030");
  }

  @Test
  void beginsWithTheParametersOfACheckpointAndANewOptimizer() {
    for (Path base : List.of(directory, checkpoint, checkpoint.resolve(TrainingLoop.PARAMETERS))) {
      TrainerSettings settings = settings().base(base).build();
      try (TrainingLoop loop = new TrainingLoop(SIZE, settings);
          BesideModels beside = BesideModels.of(settings, loop, true)) {
        assertThat(beside.reference()).isEmpty();
        assertThat(loop.learningRate()).isLessThan(1e-3);
        assertThat(loop.step(BLOCKS).loss()).isEqualTo(learned);
      }
    }
  }

  @Test
  void aTrainingThatResumesKeepsItsOwnParameters() {
    TrainerSettings settings = settings().base(directory).build();
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings);
        BesideModels beside = BesideModels.of(settings, loop, false)) {
      assertThat(beside.reference()).isEmpty();
      assertThat(loop.step(BLOCKS).loss()).isGreaterThan(2 * learned);
    }
  }

  @Test
  void refusesWhatHasNoParametersOrThoseOfAnotherShape() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BesideModels.parameters("base", empty))
        .withMessage(
            "base must be a checkpoint, a directory of checkpoints, or a file of parameters: "
                + empty);
    TrainerSettings settings = settings().base(directory).build();
    ModelSize wider = new ModelSize(1, 32, 2, 32, 8);
    try (TrainingLoop loop = new TrainingLoop(wider, settings)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BesideModels.of(settings, loop, true))
          .withMessageContaining("must have the model's shape (");
    }
  }

  private static TrainerSettings.Builder settings() {
    return TrainerSettings.builder(100).microBatch(8).learningRate(1e-2, 20).seed(4);
  }
}
