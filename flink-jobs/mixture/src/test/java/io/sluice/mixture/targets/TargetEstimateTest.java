package io.sluice.mixture.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TargetEstimateTest {
  private static final ScalingLaw LAW = new ScalingLaw(1.5, .6, .35);

  private static double[] sizes(int n) {
    double[] sizes = new double[n];
    Arrays.setAll(sizes, j -> 1 + 1.5 * j);
    return sizes;
  }

  private static double[] losses(double[] sizes, double noise, Random random) {
    return Arrays.stream(sizes)
        .map(size -> LAW.at(size) * Math.exp(noise * random.nextGaussian()))
        .toArray();
  }

  @Test
  void coversWhatIsMeasuredLaterAboutAsOftenAsItSays() {
    double[] sizes = sizes(20);
    int covered = 0;
    int trials = 200;
    for (int seed = 0; seed < trials; seed++) {
      Random random = new Random(seed);
      var estimate = TargetEstimate.of(sizes, losses(sizes, 1e-3, random), 3, 60);
      double later = LAW.at(60) * Math.exp(1e-3 * random.nextGaussian());
      if (estimate instanceof TargetEstimate.Fitted fitted) {
        ScalingFit.Interval interval = fitted.interval();
        assertThat(fitted.loss()).isBetween(interval.low(), interval.high());
        covered += later >= interval.low() && later <= interval.high() ? 1 : 0;
      }
    }
    assertThat((double) covered / trials).isBetween(.9, 1.0);
  }

  @Test
  void fallsBackToTheLastLossOfADomainThatDoesNotImprove() {
    double[] sizes = sizes(10);
    double[] rising = Arrays.stream(sizes).map(size -> 2 + .01 * size).toArray();
    TargetEstimate estimate = TargetEstimate.of(sizes, rising, 1.9, 60);
    assertThat(estimate).isInstanceOf(TargetEstimate.Rejected.class);
    assertThat(estimate.loss()).isEqualTo(rising[9]);
  }

  @Test
  void saysWhyAFitIsRejected() {
    assertThat(TargetEstimate.of(sizes(3), new double[] {3, 2, 1.5}, 4, 60))
        .isEqualTo(new TargetEstimate.Rejected(1.5, "a fit needs 4 measurements: 3"));
    double[] sizes = sizes(12);
    TargetEstimate estimate = TargetEstimate.of(sizes, losses(sizes, 0, new Random(1)), 1.6, 60);
    assertThat(((TargetEstimate.Rejected) estimate).reason())
        .startsWith("the predicted loss must be below the initial 1.6: 1.64");
  }

  static SettlingRule.Status status(
      SettlingRule rule, double[] sizes, List<double[]> losses, double[] initial, double full) {
    double moved = rule.lastMove(sizes, losses, initial, full);
    return rule.status(sizes.length, moved, sizes[sizes.length - 1] / full);
  }

  @Test
  void endsAtTheCapWhenNothingSettles() {
    SettlingRule rule = new SettlingRule(1e-9, 4, .5);
    double[] sizes = sizes(20);
    List<double[]> losses = List.of(losses(sizes, 1e-3, new Random(2)));
    double[] initial = {3};
    assertThat(status(rule, sizes, losses, initial, 60)).isEqualTo(SettlingRule.Status.GOING_ON);
    assertThat(status(rule, sizes, losses, initial, 59)).isEqualTo(SettlingRule.Status.CAPPED);
  }

  @Test
  void refusesWhatCannotBeFitted() {
    assertThatThrownBy(() -> ScalingLawFitter.fit(sizes(3), sizes(3)))
        .hasMessage("a fit needs at least 4 sizes and as many losses: 3, 3");
    assertThatThrownBy(() -> ScalingLawFitter.fit(sizes(4), new double[] {3, 2, 0, 1}))
        .hasMessage("point 2 must be finite and above 0: 4.0, 0.0");
    assertThatThrownBy(() -> ScalingLaw.through(new double[] {1, 2, 3}, new double[] {3, 2.5, 1}))
        .hasMessage("losses must fall ever more slowly: 3.0, 2.5, 1.0");
    assertThatThrownBy(() -> new SettlingRule(0, 4, .5)).hasMessage("sigma must be above 0: 0.0");
  }

  @Test
  void saysHowFarTheLastCheckpointMovedTheTargets() {
    double[] tokens = {1, 2, 3, 4, 5};
    double[] losses = java.util.Arrays.stream(tokens).map(d -> 1 + Math.pow(d, -.5)).toArray();
    double[] initial = {3};
    assertThat(SettlingRule.DEFAULT.lastMove(tokens, List.of(losses), initial, 10))
        .isLessThan(1e-6);
    losses[4] += .1;
    assertThat(SettlingRule.DEFAULT.lastMove(tokens, List.of(losses), initial, 10))
        .isGreaterThan(1e-3);
    double[] four = java.util.Arrays.copyOf(tokens, 4);
    assertThat(SettlingRule.DEFAULT.lastMove(four, List.of(losses), initial, 10)).isNaN();
  }
}
