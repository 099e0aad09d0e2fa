package io.sluice.lab.reproduce.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ResultsTest {
  @Test
  void areTheSameInWhateverOrderTheyCome() {
    Results forth =
        Results.builder()
            .add("dga", "dga@few", 1, Planted.finished(3))
            .add("dga", "uniform@few", 2, new Outcome.Failed("killed"))
            .build();
    Results back =
        Results.builder()
            .add("dga", "uniform@few", 2, new Outcome.Failed("killed"))
            .add("dga", "dga@few", 1, Planted.finished(3))
            .build();
    assertThat(forth).isEqualTo(back);
    assertThat(forth.values("dga", "dga@few", Planted.MEASURE)).containsExactly(Map.entry(1L, 3.0));
    assertThat(forth.values("dga", "uniform@few", Planted.MEASURE)).isEmpty();
    assertThat(forth.measures("dga")).containsExactly(Planted.MEASURE);
    assertThat(forth.measures("syne")).isEmpty();
  }

  @Test
  void refuseWhatIsNoNumberAndWhatIsNoName() {
    assertThatThrownBy(() -> Planted.finished(Double.NaN))
        .hasMessage("measure 'test_loss/mean' must be finite: NaN");
    assertThatThrownBy(
            () -> new Outcome.Finished(new TreeMap<>(Map.of("<b>", 1.0)), new TreeMap<>()))
        .hasMessageContaining("name of measure must be letters, digits and");
    Results.Builder odd = Results.builder().add("a b", "c", 1, Planted.finished(1));
    assertThatThrownBy(odd::build).hasMessageContaining("name of experiment must be");
    assertThatThrownBy(() -> odd.add("a b", "c", 1, Planted.finished(1)))
        .hasMessageContaining("seed 1 is known already");
  }

  @Test
  void ofALongReasonTheBeginningIsKept() {
    assertThat(new Outcome.Failed("x".repeat(9_000)).reason()).hasSize(501).endsWith("x…");
  }

  @Test
  void aCourseGoesForward() {
    assertThat(new Course(new double[] {0, 5}, new double[] {3, 2}).values()).containsExactly(3, 2);
    assertThatThrownBy(() -> new Course(new double[] {5, 5}, new double[] {3, 2}))
        .hasMessageContaining("a course must be finite values at ascending steps");
    assertThatThrownBy(() -> new Course(new double[] {5}, new double[] {}))
        .hasMessageContaining("1 steps, 0 values");
  }
}
