package io.sluice.lab.bench.mix;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.bench.mix.MixResult.Cost;
import java.util.List;
import org.junit.jupiter.api.Test;

class MixFigureTest {
  @Test
  void isDrawnOverTheSettingThatVaries() {
    assertThat(MixFigure.of(List.of(result(64, 1), result(64, 4))).svg())
        .contains("log2 of the runs")
        .doesNotContain("log2 of the domains");
    assertThat(MixFigure.of(List.of(result(8, 1), result(64, 1))).svg())
        .contains("log2 of the domains");
  }

  @Test
  void aSinglePointIsDrawnOverTheDomains() {
    assertThat(MixFigure.of(List.of(result(64, 1))).svg()).contains("log2 of the domains");
  }

  private static MixResult result(int domains, int runs) {
    Cost cost = new Cost(10, 8, 10_000, 100);
    return new MixResult(
        domains, 1, runs, 4, 2048, 8203, "none", 500, 400, 300, 100, 1.25, 1.67, 5, cost, cost,
        cost, cost, List.of());
  }
}
