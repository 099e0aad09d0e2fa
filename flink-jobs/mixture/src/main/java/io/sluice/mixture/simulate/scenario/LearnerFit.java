package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;
import java.util.List;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.util.Pair;

/**
 * One domain's learner, nearest to recorded losses in squares.
 *
 * @param headForgetting share of the head that a unit of tokens of other domains takes away
 * @param transfer effective tokens of this domain for each of another
 */
record LearnerFit(
    int domain,
    double floor,
    double scale,
    double exponent,
    double head,
    double headForgetting,
    double[] transfer) {
  private static final int LAW = 5;
  private static final double[] EXPONENTS = {.2, .6};
  private static final double[] HEADS = {.05, .5};
  private static final double BEGIN = -3;

  /** How far a learner that data do not determine may be from where it begins. */
  private static final double PRIOR = 1e-3;

  private static final double STEP = 1e-6;
  private static final int MAX_EVALUATIONS = 300;

  static LearnerFit of(int domain, List<RecordedCourse.Round> rounds) {
    double unit =
        rounds.stream().mapToDouble(round -> Arrays.stream(round.tokens()).sum()).max().orElse(1);
    double[] losses = rounds.stream().mapToDouble(round -> round.losses()[domain]).toArray();
    double least = Arrays.stream(losses).min().orElse(1);
    LearnerFit best = null;
    double error = Double.POSITIVE_INFINITY;
    for (double exponent : EXPONENTS) {
      for (double head : HEADS) {
        double[] start = new double[LAW + rounds.get(0).tokens().length];
        Arrays.fill(start, BEGIN);
        start[0] = Math.log(least / 2);
        start[1] = Math.log(least / 2);
        start[2] = Math.log(exponent);
        start[3] = Math.log(head * unit);
        LearnerFit found = from(domain, unit, descended(domain, unit, start, rounds, losses));
        double its = found.error(rounds);
        if (its < error) {
          best = found;
          error = its;
        }
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("no learner fits the losses of domain " + domain);
    }
    return best;
  }

  private static double[] descended(
      int domain, double unit, double[] start, List<RecordedCourse.Round> rounds, double[] losses) {
    double[] target = Arrays.copyOf(losses, losses.length + start.length);
    for (int i = 0; i < start.length; i++) {
      target[losses.length + i] = PRIOR * start[i];
    }
    try {
      return new LevenbergMarquardtOptimizer()
          .optimize(
              new LeastSquaresBuilder()
                  .start(start)
                  .target(target)
                  .model(point -> model(domain, unit, point, rounds))
                  .maxEvaluations(MAX_EVALUATIONS)
                  .maxIterations(MAX_EVALUATIONS)
                  .build())
          .getPoint()
          .toArray();
    } catch (MathRuntimeException e) {
      // It goes no further from here: another beginning may.
      return start;
    }
  }

  private static Pair<RealVector, RealMatrix> model(
      int domain, double unit, RealVector point, List<RecordedCourse.Round> rounds) {
    double[] at = point.toArray();
    double[] values = values(domain, unit, at, rounds);
    RealMatrix slopes = MatrixUtils.createRealMatrix(values.length, at.length);
    for (int i = 0; i < at.length; i++) {
      double[] beside = at.clone();
      beside[i] += STEP;
      double[] moved = values(domain, unit, beside, rounds);
      for (int row = 0; row < values.length; row++) {
        slopes.setEntry(row, i, (moved[row] - values[row]) / STEP);
      }
    }
    return new Pair<>(new ArrayRealVector(values), slopes);
  }

  private static double[] values(
      int domain, double unit, double[] at, List<RecordedCourse.Round> rounds) {
    LearnerFit learner = from(domain, unit, at);
    double[] values = new double[rounds.size() + at.length];
    for (int row = 0; row < rounds.size(); row++) {
      values[row] = learner.at(rounds.get(row).tokens());
    }
    for (int i = 0; i < at.length; i++) {
      values[rounds.size() + i] = PRIOR * at[i];
    }
    return values;
  }

  /** Logarithms of all, but of the share that is forgotten the logit. */
  private static LearnerFit from(int domain, double unit, double[] at) {
    double exponent = Math.exp(at[2]);
    double[] transfer = new double[at.length - LAW];
    for (int i = 0; i < transfer.length; i++) {
      transfer[i] = i == domain ? 1 : Math.exp(at[LAW + i]);
    }
    return new LearnerFit(
        domain,
        Math.exp(at[0]),
        Math.exp(at[1]) * Math.pow(unit, exponent),
        exponent,
        Math.exp(at[3]),
        1 / (1 + Math.exp(-at[4])) / unit,
        transfer);
  }

  /** The loss after so many tokens of each domain. */
  double at(double[] tokens) {
    double gained = 0;
    double others = 0;
    for (int i = 0; i < tokens.length; i++) {
      gained += transfer[i] * tokens[i];
      others += i == domain ? 0 : tokens[i];
    }
    double size = head * Math.exp(-headForgetting * others) + gained;
    return floor + scale * Math.pow(size, -exponent);
  }

  private double error(List<RecordedCourse.Round> rounds) {
    double sum = 0;
    for (RecordedCourse.Round round : rounds) {
      double off = at(round.tokens()) - round.losses()[domain];
      sum += off * off;
    }
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum;
  }
}
