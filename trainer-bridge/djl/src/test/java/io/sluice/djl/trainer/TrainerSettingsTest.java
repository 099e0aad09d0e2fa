package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.djl.Device;
import io.sluice.djl.measure.AlignmentSettings;
import io.sluice.djl.model.LearningRate;
import io.sluice.djl.model.LearningRate.Course;
import io.sluice.djl.model.ModelSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
  void everyKeyIsTaken() {
    TrainerSettings settings =
        TrainerSettings.builder(9)
            .model(1, 2, 3)
            .microBatch(4)
            .learningRate(new LearningRate(0.5, 6, Course.WSD, 9, 3, 0.125))
            .weightDecay(0.25f)
            .seed(8)
            .documentMask(false)
            .evalBlocksPerDomain(10)
            .evalEvery(11)
            .metrics(Set.of("m"))
            .alignment(new AlignmentSettings(List.of("code"), 12, 13, false))
            .device(Device.gpu(14))
            .threads(15)
            .patience(Duration.ofSeconds(16))
            .checkpoints(new CheckpointSettings(Path.of("own"), 17, 18))
            .beginFrom(Path.of("other"))
            .base(Path.of("before"))
            .reference(Path.of("beside"))
            .build();
    assertThat(settings)
        .hasToString(
            "TrainerSettings[layers=1, width=2, heads=3, steps=9, microBatch=4,"
                + " learningRate=LearningRate[peak=0.5, warmup=6, course=wsd, end=9, decay=3,"
                + " last=0.125], weightDecay=0.25, seed=8, documentMask=false,"
                + " evalBlocksPerDomain=10, evalEvery=11, metrics=Optional[[m]],"
                + " alignment=AlignmentSettings[targetDomains=[code], probeBlocks=12,"
                + " poolBlocks=13, clip=false], device=gpu(14), threads=15, patience=PT16S,"
                + " checkpoints=Optional[CheckpointSettings[directory=own, every=17, keep=18]],"
                + " beginFrom=Optional[other], base=Optional[before], reference=Optional[beside]]");
  }

  @Test
  void everyKeyHasARange() {
    assertRefused(TrainerSettings.builder(0), "steps must be at least 1: 0");
    assertRefused(of().microBatch(0), "microBatch must be at least 1: 0");
    assertRefused(of().weightDecay(-0.1f), "weightDecay must be in [0, 1]: -0.1");
    assertRefused(of().evalBlocksPerDomain(0), "evalBlocksPerDomain must be at least 1: 0");
    assertRefused(of().evalEvery(-1), "evalEvery must be at least 0: -1");
    assertRefused(of().threads(-1), "threads must be at least 0: -1");
    assertRefused(of().patience(Duration.ZERO), "patience must be above 0: PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AlignmentSettings(List.of(), 0, 1, true))
        .withMessage("alignment.probeBlocks must be at least 1: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AlignmentSettings(List.of(), 3, 2, true))
        .withMessage("alignment.poolBlocks must be at least 3: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CheckpointSettings(Path.of("x"), 0, 1))
        .withMessage("checkpoints.every must be at least 1: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CheckpointSettings(Path.of("x"), 1, 0))
        .withMessage("checkpoints.keep must be at least 1: 0");
  }

  private static TrainerSettings.Builder of() {
    return TrainerSettings.builder(1);
  }

  private static void assertRefused(TrainerSettings.Builder settings, String message) {
    assertThatIllegalArgumentException().isThrownBy(settings::build).withMessage(message);
  }

  @Test
  void refusesADeviceThatIsNotThere() {
    TrainerSettings settings = TrainerSettings.builder(1).device(Device.gpu(99)).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TrainingLoop(new ModelSize(1, 16, 2, 32, 8), settings))
        .withMessageStartingWith("device must be cpu")
        .withMessageEndingWith("what this PyTorch can use: gpu(99)");
  }
}
