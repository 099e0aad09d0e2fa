package io.sluice.mixture.policy.probing;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.hipparchus.linear.LUDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;

/**
 * The parameters A of a linear law of how losses drop: in a stretch of training on the shares p,
 * that of domain i by Σ_j A_ij p_j. NaN stands for what is not known. Immutable.
 *
 * @param domains how many there are
 * @param values A by rows: the first domain's loss, by each domain that is trained on, comes first
 */
record DropLaw(int domains, double[] values) {
  /** A hundredth of the least pivot of the most even mixtures that can be asked for. */
  private static final double LEAST_PIVOT = 1e-3;

  /**
   * The law that stretches follow, of which each domain has as many.
   *
   * @param tried domains that had stretches, the only ones that A has columns of
   * @param trained sums of shares, those of the first domain's stretches first
   * @param drops sums of drops, likewise; NaN where some loss is not known
   * @return nothing if the shares do not tell the domains apart
   */
  static Optional<DropLaw> of(int domains, int[] tried, double[] trained, double[] drops) {
    int size = tried.length;
    RealMatrix shares = MatrixUtils.createRealMatrix(size, size);
    RealMatrix rights = MatrixUtils.createRealMatrix(size, domains);
    for (int n = 0; n < size; n++) {
      int row = tried[n] * domains;
      // As many as there were stretches: the shares of each sum to 1.
      double stretches = Arrays.stream(trained, row, row + domains).sum();
      for (int m = 0; m < size; m++) {
        shares.setEntry(n, m, trained[row + tried[m]] / stretches);
      }
      for (int i = 0; i < domains; i++) {
        rights.setEntry(n, i, drops[row + i] / stretches);
      }
    }
    LUDecomposition factors = new LUDecomposition(shares, LEAST_PIVOT);
    return Double.isFinite(factors.getDeterminant()) && factors.getSolver().isNonSingular()
        ? Optional.of(of(domains, tried, factors.getSolver().solve(rights)))
        : Optional.empty();
  }

  /**
   * The law with some columns.
   *
   * @param columns a row for each domain that was tried, a column for each loss
   */
  private static DropLaw of(int domains, int[] tried, RealMatrix columns) {
    double[] values = unknown(domains);
    for (int n = 0; n < tried.length; n++) {
      for (int i = 0; i < domains; i++) {
        values[i * domains + tried[n]] = columns.getEntry(n, i);
      }
    }
    return new DropLaw(domains, values);
  }

  /** Parameters of which none is known. */
  static double[] unknown(int domains) {
    double[] values = new double[domains * domains];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  /** The law moved up to where no parameter is below 0, and scaled to a sum of 1. */
  Optional<DropLaw> normalised() {
    double least = 0;
    long known = 0;
    double sum = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        least = Math.min(least, value);
        sum += value;
        known++;
      }
    }
    double from = least;
    double scale = sum - known * from;
    return scale > 0 && Double.isFinite(scale)
        ? Optional.of(map(value -> (value - from) / scale))
        : Optional.empty();
  }

  private DropLaw map(DoubleUnaryOperator change) {
    return new DropLaw(domains, Arrays.stream(values).map(change).toArray());
  }

  /**
   * This law in a moving average.
   *
   * @param average parameters before it
   * @param gamma share of those; what is unknown of either is the other's
   */
  DropLaw averaged(double[] average, double gamma) {
    double[] next = new double[values.length];
    for (int n = 0; n < next.length; n++) {
      double before = Double.isNaN(average[n]) ? values[n] : average[n];
      next[n] = Double.isNaN(values[n]) ? before : (1 - gamma) * values[n] + gamma * before;
    }
    return new DropLaw(domains, next);
  }

  /**
   * Σ_i A_ij, over the losses of which all is known.
   *
   * @param tried domains that have columns
   * @return one for each domain; NaN for those that have none
   */
  double[] pulls(int[] tried) {
    double[] pulls = new double[domains];
    Arrays.fill(pulls, Double.NaN);
    for (int j : tried) {
      pulls[j] = 0;
    }
    for (int i = 0; i < domains; i++) {
      int row = i * domains;
      if (Arrays.stream(tried).noneMatch(j -> Double.isNaN(values[row + j]))) {
        for (int j : tried) {
          pulls[j] += values[row + j];
        }
      }
    }
    return pulls;
  }
}
