package io.sluice.mixture.simulate;

import io.sluice.mixture.policy.Metrics;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What the trainers of a simulated run report: the metrics of its learners, with noise. */
final class Measurement {
  private static final double MOST_ALIGNED = 0.2;
  private static final double ALIGNMENT_NOISE = 10;

  private static final List<String> MEASURED =
      List.of(
          Metrics.EVAL_LOSS,
          Metrics.TRAIN_LOSS,
          Metrics.PERPLEXITY,
          Metrics.EXCESS_LOSS,
          Metrics.ALIGNMENT,
          Metrics.GRADIENT_NORM,
          Metrics.LEARNING_RATE);

  private final Scenario scenario;
  private final double[] initialLosses;
  private final Random random;

  Measurement(Scenario scenario, long seed) {
    this.scenario = scenario;
    this.initialLosses = new Learners(scenario).losses();
    this.random = new Random(seed);
  }

  /**
   * Means of one metric for each domain.
   *
   * @param trained tokens of each domain since the report before
   */
  double[] of(String metric, Learners learners, double[] trained) {
    return switch (metric) {
      case Metrics.EVAL_LOSS -> noisy(learners.losses());
      case Metrics.TRAIN_LOSS -> onlyTrained(noisy(learners.losses()), trained);
      case Metrics.PERPLEXITY -> Arrays.stream(noisy(learners.losses())).map(Math::exp).toArray();
      case Metrics.EXCESS_LOSS -> excess(noisy(learners.losses()));
      case Metrics.ALIGNMENT -> alignments(learners.benefits());
      case Metrics.GRADIENT_NORM, Metrics.LEARNING_RATE -> ones();
      default ->
          throw new IllegalArgumentException(
              "a simulated policy must need nothing but " + MEASURED + ": '" + metric + "'");
    };
  }

  private double[] noisy(double[] losses) {
    for (int i = 0; i < losses.length; i++) {
      losses[i] *= Math.exp(scenario.noise() * random.nextGaussian());
    }
    return losses;
  }

  private static double[] onlyTrained(double[] losses, double[] trained) {
    for (int i = 0; i < losses.length; i++) {
      losses[i] = trained[i] > 0 ? losses[i] : Double.NaN;
    }
    return losses;
  }

  /** Above a reference that went half of the way to the floor. */
  private double[] excess(double[] losses) {
    for (int i = 0; i < losses.length; i++) {
      double floor = scenario.learners().get(i).law().floor();
      losses[i] = Math.max(0, losses[i] - (initialLosses[i] + floor) / 2);
    }
    return losses;
  }

  /** As cosines of gradients in a large model: the best domain's is 0.2, before noise. */
  private double[] alignments(double[] benefits) {
    double most = Arrays.stream(benefits).max().orElseThrow();
    for (int i = 0; i < benefits.length; i++) {
      double aligned = most > 0 ? MOST_ALIGNED * benefits[i] / most : 0;
      benefits[i] = aligned + ALIGNMENT_NOISE * scenario.noise() * random.nextGaussian();
    }
    return benefits;
  }

  private double[] ones() {
    double[] ones = new double[initialLosses.length];
    Arrays.fill(ones, 1);
    return ones;
  }
}
