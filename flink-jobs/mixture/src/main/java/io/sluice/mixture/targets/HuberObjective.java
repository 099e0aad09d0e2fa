package io.sluice.mixture.targets;

import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * What a scaling law is fitted by: the sum of Huber losses of the residuals of ln L,
 *
 * <pre>
 *   Σ_j Huber_δ( ln(exp(b − β·ln D_j) + exp(e)) − ln L_j ),   δ = 1e-3
 * </pre>
 *
 * over (b, e, β), with scale exp(b) and floor exp(e) (Hoffmann et al., approach 3).
 */
final class HuberObjective implements MultivariateJacobianFunction {
  static final double DELTA = 1e-3;

  private final double[] logSizes;
  private final double[] logLosses;

  HuberObjective(double[] sizes, double[] losses) {
    this.logSizes = logs(sizes);
    this.logLosses = logs(losses);
  }

  int points() {
    return logSizes.length;
  }

  double value(double b, double e, double beta) {
    double sum = 0;
    for (int j = 0; j < logSizes.length; j++) {
      sum += huber(residual(j, b, e, beta));
    }
    return sum;
  }

  /** Derivatives by b, e and β. */
  double[] gradient(double b, double e, double beta) {
    double[] gradient = new double[3];
    for (int j = 0; j < logSizes.length; j++) {
      double h = clipped(residual(j, b, e, beta));
      double[] slope = slope(j, b, e, beta);
      for (int p = 0; p < 3; p++) {
        gradient[p] += h * slope[p];
      }
    }
    return gradient;
  }

  double residual(int j, double b, double e, double beta) {
    double reducible = b - beta * logSizes[j];
    double max = Math.max(reducible, e);
    return max + Math.log(Math.exp(reducible - max) + Math.exp(e - max)) - logLosses[j];
  }

  /** Derivatives of a residual by b, e and β. */
  double[] slope(int j, double b, double e, double beta) {
    double share = 1 / (1 + Math.exp(e - b + beta * logSizes[j]));
    return new double[] {share, 1 - share, -share * logSizes[j]};
  }

  /**
   * The residuals as least squares see them: each has the Huber loss as half its square, so that
   * the sum of squares is twice the objective.
   */
  @Override
  public Pair<RealVector, RealMatrix> value(RealVector point) {
    double b = point.getEntry(0);
    double e = point.getEntry(1);
    double beta = point.getEntry(2);
    double[] roots = new double[logSizes.length];
    double[][] slopes = new double[logSizes.length][];
    for (int j = 0; j < roots.length; j++) {
      double r = residual(j, b, e, beta);
      boolean inside = Math.abs(r) <= DELTA;
      roots[j] = inside ? r : Math.signum(r) * Math.sqrt(2 * huber(r));
      double factor = inside ? 1 : clipped(r) / roots[j];
      slopes[j] = slope(j, b, e, beta);
      for (int p = 0; p < 3; p++) {
        slopes[j][p] *= factor;
      }
    }
    return new Pair<>(new ArrayRealVector(roots, false), new Array2DRowRealMatrix(slopes, false));
  }

  static double huber(double r) {
    double size = Math.abs(r);
    return size <= DELTA ? r * r / 2 : DELTA * (size - DELTA / 2);
  }

  static double clipped(double r) {
    return Math.max(-DELTA, Math.min(DELTA, r));
  }

  private static double[] logs(double[] values) {
    double[] logs = new double[values.length];
    for (int j = 0; j < logs.length; j++) {
      logs[j] = Math.log(values[j]);
    }
    return logs;
  }
}
