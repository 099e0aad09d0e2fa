package io.sluice.djl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.djl.ndarray.NDArray;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import org.junit.jupiter.api.Test;

final class ModelSizeTest {
  @Test
  void countsTheParametersThatTheModelHas() {
    ModelSize size = new ModelSize(3, 24, 4, 50, 10);
    try (TrainingLoop loop = new TrainingLoop(size, TrainerSettings.builder(1).build())) {
      long held = loop.parameters().values().stream().mapToLong(NDArray::size).sum();
      assertThat(size.parameters()).isEqualTo(held);
    }
  }

  @Test
  void refusesDimensionsOutsideTheirRanges() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ModelSize(0, 8, 2, 16, 8))
        .withMessage("layers must be in [1, 256]: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ModelSize(1, 10, 4, 16, 8))
        .withMessage("width must be a multiple of heads (4): 10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ModelSize(1, 8, 2, 1, 8))
        .withMessage("vocabulary must be in [2, 16777216]: 1");
  }
}
