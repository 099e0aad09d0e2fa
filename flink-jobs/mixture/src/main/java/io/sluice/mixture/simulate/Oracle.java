package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.simulate.scenario.Learners;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The best constant mixture of a scenario, found by who knows its learners: what every policy is
 * compared with. A mixture that changes in time may do better where domains are forgotten or learnt
 * late.
 *
 * <p>It looks at nothing but the objective in the end, which knows of forgetting, repeats and
 * stages: from the best of some mixtures, and from equal weights, it moves weight from one domain
 * to another as long as that is of use, in ever smaller steps. Where a run takes long, it steps
 * along what every domain teaches in the end instead ({@link Learners#benefits}), by exponentiated
 * gradient; learners that are that costly forget nothing.
 */
final class Oracle {
  private static final int PIECES = 40;
  private static final int COSTLY_TRIALS = 16;
  private static final double FIRST_MOVE = .1;
  private static final double LAST_MOVE = 1e-3;
  private static final int MOST_SWEEPS = 100;

  /** Nats that a sweep over all pairs has to gain for another of its size. */
  private static final double LEAST_GAIN = 1e-7;

  /** What a domain without weight begins with, so that exponentiated gradient can raise it. */
  private static final double LEAST_SHARE = 1e-4;

  private final Trial trial;

  private Oracle(Trial trial) {
    this.trial = trial;
  }

  /**
   * A mixture that was tried.
   *
   * @param benefits of its learners in the end, where they are needed
   */
  private record Found(double[] weights, double objective, double[] benefits) {
    Found orBetter(Found other) {
      return other.objective < objective ? other : this;
    }
  }

  /**
   * Weights of every domain, at least as good as each of some mixtures, the scenario's initial one
   * and equal weights.
   *
   * @param mixtures any number of them, each of shares that sum to 1
   */
  static double[] weights(Trial trial, List<double[]> mixtures) {
    return new Oracle(trial).search(mixtures).weights.clone();
  }

  private Found search(List<double[]> mixtures) {
    double[] equal = new double[trial.scenario().domains().size()];
    Arrays.fill(equal, 1.0 / equal.length);
    List<double[]> starts = new ArrayList<>(mixtures);
    starts.add(trial.scenario().initial().shares());
    Found uniform = tried(equal);
    Found best = uniform;
    for (double[] start : starts) {
      best = best.orBetter(tried(start));
    }
    if (trial.untrained().isCostly()) {
      return descended(best);
    }
    return moved(best).orBetter(moved(uniform));
  }

  private Found moved(Found start) {
    Found best = start;
    for (double move = FIRST_MOVE; move >= LAST_MOVE; move /= 2) {
      boolean gains = true;
      for (int sweep = 0; gains && sweep < MOST_SWEEPS; sweep++) {
        double before = best.objective;
        best = movedOnce(best, move);
        gains = best.objective < before - LEAST_GAIN;
      }
    }
    return best;
  }

  /** After one move of each pair of domains, as far as it is of use. */
  private Found movedOnce(Found start, double move) {
    Found best = start;
    for (int from = 0; from < start.weights.length; from++) {
      for (int to = 0; to < start.weights.length; to++) {
        double step = Math.min(move, best.weights[from]);
        if (from != to && step > 0) {
          double[] weights = best.weights.clone();
          weights[from] -= step;
          weights[to] += step;
          best = best.orBetter(tried(weights));
        }
      }
    }
    return best;
  }

  private Found tried(double[] weights) {
    Learners learners = trial.untrained().untrained();
    if (learners.isCostly()) {
      double objective = trial.constant(Weights.ofShares(weights), learners).objective();
      return new Found(weights, objective, learners.benefits());
    }
    double[] tokens = new double[weights.length];
    Arrays.setAll(tokens, i -> weights[i] * trial.scenario().totalTokens() / PIECES);
    for (int piece = 0; piece < PIECES; piece++) {
      learners.train(tokens);
    }
    double objective = trial.scenario().objectiveOf(learners.losses(weights.length));
    return new Found(weights, objective, new double[0]);
  }

  private Found descended(Found start) {
    Found best = start;
    double[] weights = Arrays.stream(start.weights).map(w -> Math.max(LEAST_SHARE, w)).toArray();
    weights = Weights.ofShares(weights).shares();
    for (int round = 0; round < COSTLY_TRIALS; round++) {
      Found found = tried(weights);
      best = best.orBetter(found);
      weights = stepped(weights, found.benefits, 1.0 / (1 + round / 20.0));
    }
    return best;
  }

  private static double[] stepped(double[] weights, double[] benefits, double rate) {
    double most = Arrays.stream(benefits).max().orElseThrow();
    double[] next = new double[weights.length];
    Arrays.setAll(next, i -> weights[i] * Math.exp(most > 0 ? rate * benefits[i] / most : 0));
    double sum = Arrays.stream(next).sum();
    return Arrays.stream(next).map(weight -> weight / sum).toArray();
  }
}
