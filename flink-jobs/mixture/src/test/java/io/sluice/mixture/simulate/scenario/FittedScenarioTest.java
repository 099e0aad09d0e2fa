package io.sluice.mixture.simulate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Simulation;
import io.sluice.mixture.simulate.Trajectory;
import io.sluice.mixture.targets.ScalingLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FittedScenarioTest {
  private static final int ROUNDS = 20;
  private static final List<String> DOMAINS = List.of("new", "old");
  private static final double[][] TRANSFER = {{1, .1}, {.3, 1}};
  private static final List<LearnerLaw> TRUE =
      List.of(
          new LearnerLaw(new ScalingLaw(1.5, .8, .4), .05, 1e9, 0, 0, 0),
          new LearnerLaw(new ScalingLaw(1.2, .7, .3), .4, 1e9, 0, .9, 0));

  @Test
  void saysWhatAMixtureOfNoCourseComesTo() {
    FittedScenario fitted =
        FittedScenario.of(List.of(course(.2, .2), course(.8, .8), course(.1, .9)));
    assertThat(fitted.miss()).isLessThan(2e-3);
    for (double share : new double[] {.4, .6}) {
      double[] truth = losses(share, share);
      Trajectory simulated =
          Simulation.of(
              fitted.scenario(
                  DOMAINS, Weights.ofShares(new double[] {share, 1 - share}), 200, 10, 1. / 200),
              new Candidate("static", "static", Map.of(), Map.of()),
              1);
      assertThat(simulated.finalLosses()[0]).isCloseTo(truth[0], within(.01));
      assertThat(simulated.finalLosses()[1]).isCloseTo(truth[1], within(.01));
    }
  }

  /** What other domains take from a head shows as a loss that rises. */
  @Test
  void knowsThatWhatIsLeftAloneIsForgotten() {
    FittedScenario fitted =
        FittedScenario.of(List.of(course(.9, .9), course(1, 1), course(.5, .5)));
    double[] before = losses(0, 0, 0);
    assertThat(losses(1, 1)[1]).isGreaterThan(before[1]);
    assertThat(fitted.learners().get(1).headForgetting()).isBetween(.4, 1.0);
    assertThat(fitted.learners().get(0).headForgetting()).isLessThan(.4);
  }

  @Test
  void thereMustBeSomethingToFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FittedScenario.of(List.of()))
        .withMessage("there must be a round to fit learners to");
  }

  /** A course whose share of the first domain goes from one to the other halfway. */
  private static RecordedCourse course(double first, double then) {
    List<RecordedCourse.Round> rounds = new ArrayList<>();
    for (int n = 0; n <= ROUNDS; n++) {
      double part = n / (double) ROUNDS;
      double begun = Math.min(part, .5);
      double share = begun * first + (part - begun) * then;
      rounds.add(
          new RecordedCourse.Round(new double[] {share, part - share}, losses(first, then, part)));
    }
    return new RecordedCourse(rounds);
  }

  private static double[] losses(double first, double then) {
    return losses(first, then, 1);
  }

  private static double[] losses(double first, double then, double part) {
    Scenario truth =
        new Scenario(
            "true",
            DOMAINS,
            TRUE,
            TRANSFER,
            new Scenario.Noise(0, 0),
            Weights.uniform(2),
            new double[] {.5, .5},
            1,
            1,
            1,
            List.of(),
            Model.LAWS);
    Learners learners = Learners.of(truth, 1);
    double begun = Math.min(part, .5);
    if (begun > 0) {
      learners.train(new double[] {begun * first, begun * (1 - first)});
    }
    if (part > begun) {
      learners.train(new double[] {(part - begun) * then, (part - begun) * (1 - then)});
    }
    return learners.losses(2);
  }
}
