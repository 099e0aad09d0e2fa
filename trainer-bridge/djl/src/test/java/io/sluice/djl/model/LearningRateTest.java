package io.sluice.djl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.sluice.djl.model.LearningRate.Course;
import org.junit.jupiter.api.Test;

final class LearningRateTest {
  @Test
  void risesLinearlyThenStays() {
    LearningRate rate = LearningRate.constant(0.4, 4);
    assertThat(rate.at(1)).isEqualTo(0.1f);
    assertThat(rate.at(4)).isEqualTo(0.4f);
    assertThat(rate.at(1000)).isEqualTo(0.4f);
    assertThat(LearningRate.constant(0.4, 0).at(1)).isEqualTo(0.4f);
  }

  @Test
  void staysThenFallsLinearly() {
    LearningRate rate = new LearningRate(0.4, 4, Course.WSD, 20, 8, 0.2);
    assertThat(rate.at(2)).isEqualTo(0.2f);
    assertThat(rate.at(12)).isEqualTo(0.4f);
    assertThat(rate.at(16)).isEqualTo(0.3f);
    assertThat(rate.at(20)).isEqualTo(0.2f);
    assertThat(rate.at(25)).isEqualTo(0.2f);
    assertThat(new LearningRate(0.4, 4, Course.WSD, 20, 0, 0).at(20)).isEqualTo(0.4f);
  }

  @Test
  void fallsByHalfACosine() {
    LearningRate rate = new LearningRate(0.4, 0, Course.COSINE, 100, 0, 0.1);
    assertThat(rate.at(50)).isCloseTo(0.25f, within(1e-6f));
    double quarter = 0.1 + 0.3 * (1 + Math.cos(Math.PI / 4)) / 2;
    assertThat(rate.at(25)).isCloseTo((float) quarter, within(1e-6f));
    assertThat(rate.at(100)).isEqualTo(0.1f);
    assertThat(rate.at(101)).isEqualTo(0.1f);
  }

  @Test
  void namesWhatIsOutOfRange() {
    assertRefused(
        () -> LearningRate.constant(Double.NaN, 1), "learningRate must be in (0, 1]: NaN");
    assertRefused(() -> LearningRate.constant(1, -1), "warmup must be at least 0: -1");
    assertRefused(
        () -> new LearningRate(0.1, 1, Course.COSINE, 9, 0, 0.2),
        "the final learning rate must be in [0, 0.1], the peak: 0.2");
    assertRefused(
        () -> new LearningRate(0.1, 5, Course.WSD, 9, 5, 0),
        "a wsd learning rate must have 10 steps or more, its warm-up and its decay: 9");
    assertRefused(() -> Course.named("step"), "must be constant, wsd or cosine: 'step'");
  }

  private static void assertRefused(Runnable made, String message) {
    assertThatIllegalArgumentException().isThrownBy(made::run).withMessage(message);
  }
}
