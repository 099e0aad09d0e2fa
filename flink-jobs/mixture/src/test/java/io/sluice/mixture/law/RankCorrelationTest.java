package io.sluice.mixture.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RankCorrelationTest {
  @Test
  void comparesOrdersAlone() {
    assertThat(RankCorrelation.of(new double[] {1, 2, 9}, new double[] {-5, 0, 1})).isEqualTo(1);
    assertThat(RankCorrelation.of(new double[] {1, 2, 9}, new double[] {3, 2, 1})).isEqualTo(-1);
    // scipy.stats.spearmanr([1, 2, 2, 4, 5], [2, 1, 4, 3, 5])
    assertThat(RankCorrelation.of(new double[] {1, 2, 2, 4, 5}, new double[] {2, 1, 4, 3, 5}))
        .isCloseTo(0.6668859288553503, within(1e-12));
    assertThat(RankCorrelation.of(new double[] {1, 1}, new double[] {1, 2})).isNaN();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RankCorrelation.of(new double[1], new double[2]));
  }
}
