package io.sluice.control.runs;

import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.RunSpecs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rounds of 10 batches of 8 sequences of 128 tokens, with 256 tokens of each set. */
class MeasurementCostTest {
  private static MeasurementCost cost(String policy, Map<String, String> settings) {
    return RunApplication.predictedCost(
            RunSpecs.complete(
                spec()
                    .setPolicy(policy)
                    .setPolicySettings(settings)
                    .setEvalTokens(256)
                    .setProbeTokens(512)
                    .build()))
        .orElseThrow();
  }

  @Test
  void countsEachSetOnceAndEveryTarget() {
    assertThat(cost("velocitune", Map.of("target-fraction", "0.5")))
        .isEqualTo(new MeasurementCost(10 * 8 * 128, 2 * 256, 0));
    assertThat(cost("odm", Map.of())).isEqualTo(new MeasurementCost(10 * 8 * 128, 0, 0));
    assertThat(cost("dga", Map.of())).isEqualTo(new MeasurementCost(10240, 0, 2 * 512 + 256));
    assertThat(cost("doge", Map.of("target", "a b")))
        .isEqualTo(new MeasurementCost(10240, 0, 2 * 512 + 2 * 256));
  }

  @Test
  void countsTheGradientsOfPairsAndOfSingleSequences() {
    assertThat(cost("r-and-b", Map.of())).isEqualTo(new MeasurementCost(10240, 0, 2 * 512));
    assertThat(cost("grape", Map.of("target", "b")))
        .isEqualTo(new MeasurementCost(10240, 2 * 256, 2 * 512 + 256));
    assertThat(cost("pike", Map.of())).isEqualTo(new MeasurementCost(10240, 0, 2 * 2 * 512));
  }

  @Test
  void isUnknownWithoutRoundsAndWhereTheTrainerDecides() {
    assertThat(RunApplication.predictedCost(RunSpecs.complete(spec().build()))).isEmpty();
    assertThat(
            RunApplication.predictedCost(
                spec().setEvalTokens(256).setMetrics(List.of()).setUpdateEvery(0).build()))
        .isEmpty();
  }
}
