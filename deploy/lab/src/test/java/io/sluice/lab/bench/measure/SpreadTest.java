package io.sluice.lab.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void isTheMedianAndTheRangeInAnyOrder() {
    assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 3));
    assertThat(Spread.of(List.of(4.0, 1.0))).isEqualTo(new Spread(2.5, 1, 4));
    assertThat(Spread.of(List.of(10.0, 12.0, 11.0)).text(0)).isEqualTo("11 (10–12)");
  }

  @Test
  void quantilesLieBetweenTheNearestValues() {
    double[] sorted = {0, 10, 20, 30, 40};
    assertThat(Spread.quantile(sorted, 0)).isZero();
    assertThat(Spread.quantile(sorted, 0.99)).isEqualTo(39.6);
    assertThat(Spread.quantile(sorted, 1)).isEqualTo(40);
    assertThatThrownBy(() -> Spread.quantile(sorted, 1.5))
        .hasMessage(
            "a quantile needs values and a share in [0, 1]: 1.5 of [0.0, 10.0, 20.0, 30.0, 40.0]");
    assertThatThrownBy(() -> Spread.of(List.of()))
        .hasMessage("a quantile needs values and a share in [0, 1]: 0.5 of []");
  }

  @Test
  void aPointHasBlocksForEveryBatchThatTheWeightsCanAskFor() {
    MixPoint point = MixPoint.single(3, 1024, 10, Compression.NONE, 57);
    assertThat(point.batches()).isEqualTo(5);
    assertThat(point.blocksPerLane()).isEqualTo(19);
  }

  @Test
  void aPointIsVariedInEveryWayAskedFor() {
    List<MixPoint> points =
        MixPoint.single(4, 1024, 1, Compression.NONE, 96)
            .vary(List.of(1, 2), List.of(3), List.of(4, 8), List.of(8));
    assertThat(points)
        .containsExactly(
            new MixPoint(4, 1, 3, 4, 1024, 8, Compression.NONE, 96),
            new MixPoint(4, 1, 3, 8, 1024, 8, Compression.NONE, 96),
            new MixPoint(4, 2, 3, 4, 1024, 8, Compression.NONE, 96),
            new MixPoint(4, 2, 3, 8, 1024, 8, Compression.NONE, 96));
    assertThat(points).extracting(MixPoint::sequences).containsOnly(32L);
    assertThat(points).extracting(MixPoint::blocksPerLane).containsExactly(10, 10, 10, 10);
    assertThatThrownBy(() -> points.get(0).vary(List.of(3), List.of(1), List.of(4), List.of(8)))
        .hasMessage("--partitions must be a multiple of the 3 lanes: 4");
  }
}
