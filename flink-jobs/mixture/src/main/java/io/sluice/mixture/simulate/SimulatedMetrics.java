package io.sluice.mixture.simulate;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.simulate.scenario.Learners;
import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What the trainers of a simulated run report: the metrics of its learners, with noise. */
final class SimulatedMetrics {
  private static final List<String> MEASURED =
      List.of(
          Metrics.EVAL_LOSS,
          Metrics.TRAIN_LOSS,
          Metrics.PERPLEXITY,
          Metrics.EXCESS_LOSS,
          Metrics.ALIGNMENT,
          Metrics.GRADIENT_PRODUCT,
          Metrics.GRADIENT_NORM,
          Metrics.LEARNING_RATE);

  private final Scenario scenario;
  private final double[][] mixtures;
  private final PairPlaces pairs;
  private final double[] initialLosses;
  private final Random random;

  /**
   * Metrics of a run.
   *
   * @param policy whose mixtures, or pairs of domains, are measured
   * @param initialLosses of each domain, before training
   */
  SimulatedMetrics(Scenario scenario, Policy policy, double[] initialLosses, long seed) {
    this.mixtures = mixtures(policy);
    this.pairs = PairPlaces.of(policy, scenario.domains());
    this.scenario = scenario;
    this.initialLosses = initialLosses;
    this.random = new Random(seed);
  }

  /** Those that alignments are measured of; none for the domains themselves. */
  private static double[][] mixtures(Policy policy) {
    return policy.axis(Metrics.ALIGNMENT) instanceof Axis.Mixtures mixtures
        ? mixtures.weights().toArray(double[][]::new)
        : new double[0][];
  }

  /**
   * Means of one metric for each domain, mixture or pair.
   *
   * @param trained tokens of each domain since the report before
   */
  double[] of(String metric, Learners learners, double[] trained) {
    return switch (metric) {
      case Metrics.EVAL_LOSS -> noisy(losses(learners));
      case Metrics.TRAIN_LOSS -> onlyTrained(noisy(losses(learners)), trained);
      case Metrics.PERPLEXITY -> Arrays.stream(noisy(losses(learners))).map(Math::exp).toArray();
      case Metrics.EXCESS_LOSS -> excess(noisy(losses(learners)));
      case Metrics.ALIGNMENT -> alignments(learners);
      case Metrics.GRADIENT_PRODUCT -> products(learners);
      case Metrics.GRADIENT_NORM, Metrics.LEARNING_RATE -> ones();
      default ->
          throw new IllegalArgumentException(
              "a simulated policy must need nothing but " + MEASURED + ": '" + metric + "'");
    };
  }

  private double[] noisy(double[] losses) {
    for (int i = 0; i < losses.length; i++) {
      losses[i] *= Math.exp(scenario.noise().loss() * random.nextGaussian());
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

  /** One for each thing that is measured: a domain, or a mixture of domains. */
  private double[] alignments(Learners learners) {
    double[] byDomain = learners.alignments();
    double noise = scenario.noise().alignment();
    double[] alignments = new double[mixtures.length == 0 ? byDomain.length : mixtures.length];
    for (int n = 0; n < alignments.length; n++) {
      double aligned = 0;
      for (int i = 0; mixtures.length > 0 && i < byDomain.length; i++) {
        aligned += mixtures[n][i] * byDomain[i];
      }
      alignments[n] =
          (mixtures.length == 0 ? byDomain[n] : aligned) + noise * random.nextGaussian();
    }
    return alignments;
  }

  private double[] products(Learners learners) {
    double[][] all = learners.products(pairs.heldOut());
    double[] products = new double[pairs.first().length];
    for (int n = 0; n < products.length; n++) {
      products[n] =
          all[pairs.first()[n]][pairs.second()[n]]
              + scenario.noise().alignment() * random.nextGaussian();
    }
    return products;
  }

  private double[] losses(Learners learners) {
    return learners.losses(scenario.domains().size());
  }

  private double[] ones() {
    double[] ones = new double[initialLosses.length];
    Arrays.fill(ones, 1);
    return ones;
  }
}
