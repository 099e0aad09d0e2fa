package io.sluice.mixture.simulate;

import java.util.Arrays;

/**
 * The best constant mixture of a scenario, found by who knows its learners: what every policy is
 * compared with. A mixture that changes in time may do slightly better where domains are forgotten
 * or learnt late.
 */
public final class Oracle {
  private static final int PIECES = 40;

  private Oracle() {}

  /**
   * Weights of every domain, by exponentiated gradient on the scenario's objective.
   *
   * @param untrained learners of the scenario
   */
  static double[] weights(Scenario scenario, Learners untrained) {
    double[] weights = new double[scenario.domains().size()];
    Arrays.fill(weights, 1.0 / weights.length);
    double[] best = weights;
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < untrained.trialsOfOracle(); round++) {
      Learners learners = trained(scenario, untrained.untrained(), weights);
      double objective = objective(scenario, learners);
      if (objective < least) {
        least = objective;
        best = weights;
      }
      weights = step(weights, learners.benefits(), 1.0 / (1 + round / 20.0));
    }
    return best.clone();
  }

  private static double[] step(double[] weights, double[] benefits, double rate) {
    double most = Arrays.stream(benefits).max().orElseThrow();
    double[] next = new double[weights.length];
    double sum = 0;
    for (int i = 0; i < next.length; i++) {
      next[i] = weights[i] * Math.exp(most > 0 ? rate * benefits[i] / most : 0);
      sum += next[i];
    }
    for (int i = 0; i < next.length; i++) {
      next[i] /= sum;
    }
    return next;
  }

  private static Learners trained(Scenario scenario, Learners learners, double[] weights) {
    double[] tokens = new double[weights.length];
    Arrays.setAll(tokens, i -> weights[i] * scenario.totalTokens() / PIECES);
    for (int piece = 0; piece < PIECES; piece++) {
      learners.train(tokens);
    }
    return learners;
  }

  private static double objective(Scenario scenario, Learners learners) {
    double sum = 0;
    for (int i = 0; i < scenario.objective().length; i++) {
      sum += scenario.objective()[i] * learners.loss(i);
    }
    return sum;
  }
}
