package io.sluice.mixture.simulate.scenario;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.targets.ScalingLaw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A scenario whose learners are fitted to runs of the past: what each domain's loss was, after what
 * was trained on of all. It knows nothing of passes, plateaus and stages.
 *
 * @param learners one for each domain
 * @param transfer as {@link Scenario} has it
 * @param miss root of the mean square of what the learners are off, as a share of the losses
 */
public record FittedScenario(List<LearnerLaw> learners, double[][] transfer, double miss) {
  /** Domains never come to an end. */
  private static final double NO_END = 1e9;

  /**
   * Fits.
   *
   * @param courses of one model, begun alike
   * @throws IllegalArgumentException if there is nothing to fit
   */
  public static FittedScenario of(List<RecordedCourse> courses) {
    List<RecordedCourse.Round> rounds =
        courses.stream().flatMap(course -> course.rounds().stream()).toList();
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("there must be a round to fit learners to");
    }
    int domains = rounds.get(0).losses().length;
    List<LearnerLaw> learners = new ArrayList<>();
    double[][] transfer = new double[domains][domains];
    double squares = 0;
    int count = 0;
    for (int j = 0; j < domains; j++) {
      int domain = j;
      List<RecordedCourse.Round> measured =
          rounds.stream().filter(round -> Double.isFinite(round.losses()[domain])).toList();
      LearnerFit fit = LearnerFit.of(domain, measured);
      learners.add(
          new LearnerLaw(
              new ScalingLaw(fit.floor(), fit.scale(), fit.exponent()),
              fit.head(),
              NO_END,
              0,
              fit.headForgetting(),
              0));
      for (int i = 0; i < domains; i++) {
        transfer[i][j] = fit.transfer()[i];
      }
      for (RecordedCourse.Round round : measured) {
        double off = fit.at(round.tokens()) / round.losses()[domain] - 1;
        squares += off * off;
        count++;
      }
    }
    return new FittedScenario(learners, transfer, Math.sqrt(squares / count));
  }

  /**
   * A run of these learners, whose unit of tokens is that of the courses.
   *
   * @param tokensPerBatch in that unit
   */
  public Scenario scenario(
      List<String> domains, Weights initial, long batches, long every, double tokensPerBatch) {
    double[] objective = new double[domains.size()];
    Arrays.fill(objective, 1.0 / objective.length);
    return new Scenario(
        "fitted",
        domains,
        learners,
        transfer,
        new Scenario.Noise(miss, 0),
        initial,
        objective,
        batches,
        every,
        tokensPerBatch,
        List.of(),
        Model.LAWS);
  }
}
