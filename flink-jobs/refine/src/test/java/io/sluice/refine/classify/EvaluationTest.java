package io.sluice.refine.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EvaluationTest {
  @Test
  void scoresFollowFromTheConfusionMatrix() {
    Evaluation evaluation =
        Evaluation.of(List.of("a", "b", "c"), new int[][] {{8, 2, 0}, {1, 3, 0}, {0, 0, 0}});

    assertThat(evaluation.labels().get(0))
        .isEqualTo(new LabelScore("a", 10, 8 / 9., 8 / 10., 16 / 19.));
    assertThat(evaluation.labels().get(1)).isEqualTo(new LabelScore("b", 4, .6, .75, 6 / 9.));
    assertThat(evaluation.labels().get(2)).isEqualTo(new LabelScore("c", 0, 0, 0, 0));
    assertThat(evaluation.macroF1()).isCloseTo((16 / 19. + 6 / 9.) / 2, within(1e-12));
    assertThat(evaluation.accuracy()).isEqualTo(11 / 14.);
    assertThat(evaluation.texts()).isEqualTo(14);
    assertThat(evaluation.confusion().get(0)).containsExactly(8, 2, 0);
  }

  @Test
  void isZeroWithoutTexts() {
    Evaluation evaluation = Evaluation.of(List.of("a", "b"), new int[2][2]);

    assertThat(evaluation.macroF1()).isZero();
    assertThat(evaluation.accuracy()).isZero();
  }
}
