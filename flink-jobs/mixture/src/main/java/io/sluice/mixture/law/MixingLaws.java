package io.sluice.mixture.law;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/** Fits laws to what runs of some mixtures came to. */
public final class MixingLaws {
  private static final double[] FLOORS = {0, .2, .4, .6, .7, .8, .9, .95, .98, .995};

  /** Beside the losses' own size; it decides where too few mixtures do not. */
  private static final double RIDGE = 1e-6;

  private static final int MAX_EVALUATIONS = 1000;

  private MixingLaws() {}

  private record Linear(double[] slopes) implements MixingLaw {
    @Override
    public double at(double[] shares) {
      return dot(slopes, shares);
    }
  }

  private record LogLinear(double floor, double[] slopes) implements MixingLaw {
    @Override
    public double at(double[] shares) {
      return floor + Math.exp(dot(slopes, shares));
    }
  }

  /**
   * The law that is nearest to some losses, in squares.
   *
   * @param mixtures each with a share for each domain
   * @param losses above 0, one for each mixture
   * @throws IllegalArgumentException if there are fewer mixtures than the law has parameters, or a
   *     loss is not a positive number
   */
  public static MixingLaw fit(MixingLaw.Form form, List<double[]> mixtures, double[] losses) {
    int domains = mixtures.isEmpty() ? 0 : mixtures.get(0).length;
    int parameters = form == MixingLaw.Form.LINEAR ? domains : domains + 1;
    if (mixtures.size() < parameters || mixtures.size() != losses.length || domains == 0) {
      throw new IllegalArgumentException(
          "a law of "
              + domains
              + " domains needs at least "
              + parameters
              + " mixtures with a loss each: "
              + mixtures.size()
              + ", "
              + losses.length);
    }
    if (!Arrays.stream(losses).allMatch(loss -> loss > 0 && Double.isFinite(loss))) {
      throw new IllegalArgumentException(
          "losses must be finite and above 0: " + Arrays.toString(losses));
    }
    RealMatrix shares = MatrixUtils.createRealMatrix(mixtures.toArray(double[][]::new));
    return form == MixingLaw.Form.LINEAR
        ? new Linear(leastSquares(shares, losses))
        : logLinear(shares, mixtures, losses);
  }

  /**
   * What the law says of each mixture that was fitted to all the others: what it is worth.
   *
   * @return one for each mixture
   */
  public static double[] leftOut(MixingLaw.Form form, List<double[]> mixtures, double[] losses) {
    double[] said = new double[losses.length];
    for (int out = 0; out < said.length; out++) {
      int left = out;
      List<double[]> others =
          IntStream.range(0, losses.length).filter(i -> i != left).mapToObj(mixtures::get).toList();
      double[] theirs =
          IntStream.range(0, losses.length)
              .filter(i -> i != left)
              .mapToDouble(i -> losses[i])
              .toArray();
      said[out] = fit(form, others, theirs).at(mixtures.get(out));
    }
    return said;
  }

  private static double[] leastSquares(RealMatrix shares, double[] values) {
    RealMatrix transposed = shares.transpose();
    RealMatrix squares = transposed.multiply(shares);
    for (int i = 0; i < squares.getRowDimension(); i++) {
      squares.addToEntry(i, i, RIDGE);
    }
    return new CholeskyDecomposition(squares)
        .getSolver()
        .solve(transposed.operate(new ArrayRealVector(values)))
        .toArray();
  }

  private static MixingLaw logLinear(RealMatrix shares, List<double[]> mixtures, double[] losses) {
    double least = Arrays.stream(losses).min().orElseThrow();
    LogLinear best = null;
    double error = Double.POSITIVE_INFINITY;
    for (double floor : FLOORS) {
      double at = floor * least;
      double[] logs = Arrays.stream(losses).map(loss -> Math.log(loss - at)).toArray();
      LogLinear begin = new LogLinear(at, leastSquares(shares, logs));
      for (LogLinear law : List.of(begin, descend(begin, shares, losses))) {
        double its = error(law, mixtures, losses);
        if (its < error) {
          best = law;
          error = its;
        }
      }
    }
    return Objects.requireNonNull(best);
  }

  private static double error(MixingLaw law, List<double[]> mixtures, double[] losses) {
    double sum = 0;
    for (int i = 0; i < losses.length; i++) {
      double miss = law.at(mixtures.get(i)) - losses[i];
      sum += miss * miss;
    }
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum;
  }

  private static LogLinear descend(LogLinear from, RealMatrix shares, double[] losses) {
    double[] start = new double[from.slopes.length + 1];
    start[0] = from.floor;
    System.arraycopy(from.slopes, 0, start, 1, from.slopes.length);
    try {
      double[] found =
          new LevenbergMarquardtOptimizer()
              .optimize(
                  new LeastSquaresBuilder()
                      .start(start)
                      .target(losses)
                      .model(model(shares))
                      .maxEvaluations(MAX_EVALUATIONS)
                      .maxIterations(MAX_EVALUATIONS)
                      .build())
              .getPoint()
              .toArray();
      // A floor below 0 is no loss, and what it predicts outside of the mixtures is worth nothing.
      return found[0] < 0
          ? from
          : new LogLinear(found[0], Arrays.copyOfRange(found, 1, found.length));
    } catch (MathRuntimeException e) {
      // It left for infinity: where it began still counts.
      return from;
    }
  }

  private static MultivariateJacobianFunction model(RealMatrix shares) {
    return point -> {
      double[] slopes = point.getSubVector(1, point.getDimension() - 1).toArray();
      RealVector exponents = shares.operate(new ArrayRealVector(slopes));
      RealMatrix slope = MatrixUtils.createRealMatrix(shares.getRowDimension(), slopes.length + 1);
      RealVector values = new ArrayRealVector(shares.getRowDimension());
      for (int row = 0; row < values.getDimension(); row++) {
        double part = Math.exp(exponents.getEntry(row));
        values.setEntry(row, point.getEntry(0) + part);
        slope.setEntry(row, 0, 1);
        for (int i = 0; i < slopes.length; i++) {
          slope.setEntry(row, i + 1, part * shares.getEntry(row, i));
        }
      }
      return new Pair<>(values, slope);
    };
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
