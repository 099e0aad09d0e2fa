package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.client.run.StreamState;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.model.ModelSize;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A checkpoint that an earlier version has written must be read by this one. {@code checkpoints-v1}
 * is a checkpoint directory after five steps of a tiny model.
 */
final class CheckpointFormatTest {
  private static final Path FILES = Path.of("src/test/resources/io/sluice/djl/trainer");
  private static final ModelSize SIZE = new ModelSize(1, 8, 2, 16, 4);
  private static final List<TokenBlock> BLOCKS = TestingBlocks.repetitive(8, SIZE);

  /** What the next steps came to when it was written. */
  private static final double[] LOSSES = {2.448834717273712, 2.3479729741811752, 2.248285323381424};

  @Test
  void goesOnFromTheCheckpointOfVersionOne() throws IOException {
    CheckpointStore store = new CheckpointStore(FILES.resolve("checkpoints-v1"), 2);
    assertThat(store.all()).hasSize(1);
    CheckpointStore.Stored stored = store.all().get(0);
    assertThat(stored.state()).isEqualTo(new StreamState("velo.1a2b", 1, 5, 40));
    TrainerSettings settings =
        TrainerSettings.builder(100).microBatch(8).learningRate(1e-2, 5).seed(9).threads(1).build();
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings)) {
      loop.load(stored.directory());
      for (double loss : LOSSES) {
        assertThat(loop.step(BLOCKS).loss()).isCloseTo(loss, offset(1e-4));
      }
    }
  }
}
