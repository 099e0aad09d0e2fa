package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.djl.Device;
import io.sluice.djl.model.LearningRate;
import io.sluice.djl.model.ModelSize;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TrainerSettingsTest {
  @Test
  void buildsASmallModelByDefault() {
    TrainerSettings settings = TrainerSettings.builder(10).build();
    assertThat(settings.modelSize(258, 128)).isEqualTo(new ModelSize(2, 128, 4, 258, 128));
    assertThat(settings.documentMask()).isTrue();
    assertThat(settings.checkpoints()).isEmpty();
  }

  @Test
  void refusesWhatIsOutsideItsRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrainerSettings.builder(0).build())
        .withMessage("steps must be at least 1: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrainerSettings.builder(1).learningRate(Double.NaN, 1).build())
        .withMessage("learningRate must be in (0, 1]: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrainerSettings.builder(1).weightDecay(-0.1f).build())
        .withMessage("weightDecay must be in [0, 1]: -0.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrainerSettings.builder(1).patience(Duration.ZERO).build())
        .withMessage("patience must be above 0: PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CheckpointSettings(Path.of("x"), 0, 1))
        .withMessage("checkpoints.every must be at least 1: 0");
  }

  @Test
  void refusesADeviceThatIsNotThere() {
    TrainerSettings settings = TrainerSettings.builder(1).device(Device.gpu(99)).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TrainingLoop(new ModelSize(1, 16, 2, 32, 8), settings))
        .withMessageStartingWith("device must be cpu")
        .withMessageEndingWith("what this PyTorch can use: gpu(99)");
  }

  @Test
  void learningRateRisesLinearlyThenStays() {
    LearningRate rate = new LearningRate(0.4, 4);
    assertThat(rate.at(1)).isEqualTo(0.1f);
    assertThat(rate.at(4)).isEqualTo(0.4f);
    assertThat(rate.at(1000)).isEqualTo(0.4f);
    assertThat(new LearningRate(0.4, 0).at(1)).isEqualTo(0.4f);
  }
}
