package io.sluice.mixture.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixingLawsTest {
  private static final DrawnMixtures THREE = DrawnMixtures.of(3, 1);

  @ParameterizedTest
  @EnumSource
  void findsTheLawThatLossesFollow(MixingLaw.Form form) {
    ToDoubleFunction<double[]> law =
        form == MixingLaw.Form.LINEAR
            ? w -> 3 * w[0] + 2 * w[1] + 4 * w[2]
            : w -> 1.7 + Math.exp(.4 * w[0] - 1.5 * w[1] + .2 * w[2]);
    List<double[]> mixtures = THREE.draw(20, 5);
    MixingLaw found = MixingLaws.fit(form, mixtures, losses(mixtures, law, 0));
    for (double[] other : THREE.draw(50, 6)) {
      assertThat(found.at(other)).isCloseTo(law.applyAsDouble(other), within(1e-3));
    }
  }

  @Test
  void whatIsLeftOutIsPredictedFromTheOthersAlone() {
    List<double[]> mixtures = THREE.draw(30, 5);
    double[] losses = losses(mixtures, w -> 2 + Math.exp(-2 * w[1]), .01);
    double[] said = MixingLaws.leftOut(MixingLaw.Form.LOG_LINEAR, mixtures, losses);
    for (int i = 0; i < said.length; i++) {
      assertThat(said[i]).isCloseTo(losses[i], within(.06)).isNotEqualTo(losses[i]);
    }
    double before = said[0];
    losses[0] += 1;
    said = MixingLaws.leftOut(MixingLaw.Form.LOG_LINEAR, mixtures, losses);
    assertThat(said[0]).isEqualTo(before);
  }

  @Test
  void theBestMixtureIsWhereTheAimsAre() {
    List<double[]> mixtures = THREE.draw(30, 5);
    List<MixingLaw> laws =
        List.of(
            MixingLaws.fit(
                MixingLaw.Form.LOG_LINEAR,
                mixtures,
                losses(mixtures, w -> 2 + Math.exp(-3 * w[0]), 0)),
            MixingLaws.fit(
                MixingLaw.Form.LOG_LINEAR,
                mixtures,
                losses(mixtures, w -> 2 + Math.exp(-3 * w[1]), 0)));
    MixtureSearch first = new MixtureSearch(laws, new double[] {1, 0});
    assertThat(first.best(THREE, 1)[0]).isGreaterThan(.95);
    // Of two that are alike both get half: d/dw of exp(-3w) + exp(-3(1 - w)) is 0 there.
    double[] both = new MixtureSearch(laws, new double[] {1, 1}).best(THREE, 1);
    assertThat(both[0]).isCloseTo(.5, within(.03));
    assertThat(both[1]).isCloseTo(.5, within(.03));
    assertThat(Arrays.stream(both).sum()).isCloseTo(1, within(1e-12));
    assertThat(both).containsExactly(new MixtureSearch(laws, new double[] {1, 1}).best(THREE, 1));
  }

  @Test
  void refusesWhatDoesNotDetermineALaw() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                MixingLaws.fit(MixingLaw.Form.LOG_LINEAR, THREE.draw(3, 1), new double[] {1, 1, 1}))
        .withMessage("a law of 3 domains needs at least 4 mixtures with a loss each: 3, 3");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                MixingLaws.fit(
                    MixingLaw.Form.LINEAR, THREE.draw(3, 1), new double[] {1, Double.NaN, 1}))
        .withMessage("losses must be finite and above 0: [1.0, NaN, 1.0]");
  }

  @Test
  void mixturesAreSpreadAsTheirConcentrationSays() {
    double[] means = new double[3];
    double flat = 0;
    double sparse = 0;
    List<double[]> many = THREE.draw(20_000, 3);
    for (double[] shares : many) {
      assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-12));
      for (int i = 0; i < 3; i++) {
        means[i] += shares[i] / many.size();
      }
      flat += (shares[0] - 1 / 3.) * (shares[0] - 1 / 3.) / many.size();
    }
    for (double[] shares : DrawnMixtures.of(3, .2).draw(20_000, 3)) {
      sparse += (shares[0] - 1 / 3.) * (shares[0] - 1 / 3.) / many.size();
    }
    // Of a Dirichlet distribution with k equal parts: (k - 1) / (k² (k a + 1)).
    assertThat(flat).isCloseTo(2 / 36., within(.002));
    assertThat(sparse).isCloseTo(2 / 9. / 1.6, within(.004));
    for (double mean : means) {
      assertThat(mean).isCloseTo(1 / 3., within(.01));
    }
  }

  @Test
  void partsThatAreKeptTogetherKeepTheirRatio() {
    DrawnMixtures together =
        new DrawnMixtures(List.of(new double[] {.75, .25, 0}, new double[] {0, 0, 1}), 1);
    for (double[] shares : together.draw(100, 1)) {
      assertThat(shares[0]).isCloseTo(3 * shares[1], within(1e-12));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DrawnMixtures.of(2, 0))
        .withMessageContaining("concentration above 0: 2, 0.0");
  }

  private static double[] losses(
      List<double[]> mixtures, ToDoubleFunction<double[]> law, double noise) {
    Random random = new Random(1);
    return mixtures.stream()
        .mapToDouble(w -> law.applyAsDouble(w) + noise * random.nextGaussian())
        .toArray();
  }
}
