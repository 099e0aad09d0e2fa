package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.lab.reproduce.arm.TestingOutcomes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class MeasuresTest {
  @Test
  void everyJudgedArmHasTheSame() {
    assertThat(Measures.of(TestingOutcomes.sound().test()))
        .containsEntry("test_loss/mean", 2.5)
        .containsEntry("test_loss/b", 3.0)
        .containsEntry("accuracy/mean", .375);
    assertThat(Measures.of(TestingOutcomes.sound()))
        .containsEntry("greatest_weight", 1.0)
        .containsEntry("greatest_weight_step", .5)
        .containsEntry("settled_share", .5)
        .containsEntry("sequences", 40.0);
  }

  @Test
  void aCourseRisesAboveItsLeastAndHasSpikes() {
    var course = Measures.course(TestingOutcomes.sound(), "a");
    assertThat(course.values()).containsExactly(3.0, 2.0, 2.2);
    assertThat(Measures.rise(course)).isCloseTo(.2, within(1e-12));
    assertThat(Measures.spike(course)).isCloseTo(.2, within(1e-12));
    assertThat(Measures.spike(new TreeMap<>(Map.of(0L, 3.0, 1L, 2.0)))).isZero();
    assertThat(Measures.rise(new TreeMap<>())).isNaN();
  }

  @Test
  void mixturesAreAsFarApartAsWhatWouldHaveToMove() {
    Map<String, Double> even = Map.of("a", .5, "b", .5);
    assertThat(Measures.distance(even, Map.of("a", .75, "b", .25))).isEqualTo(.25);
    assertThat(Measures.distance(even, even)).isZero();
    assertThat(Measures.distance(Map.of("a", 1.0, "b", 0.0), Map.of("a", 0.0, "b", 1.0)))
        .isEqualTo(1);
  }

  @Test
  void meansAndDeviationsAreOfTheValuesThemselves() {
    assertThat(Measures.mean(List.of(1.0, 3.0))).isEqualTo(2);
    assertThat(Measures.deviation(List.of(1.0, 3.0))).isEqualTo(1);
    assertThat(Measures.mean(Map.of("a", 1.0, "b", 5.0), List.of("a"))).isEqualTo(1);
  }
}
