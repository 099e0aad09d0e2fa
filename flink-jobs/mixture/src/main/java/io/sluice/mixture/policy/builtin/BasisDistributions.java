package io.sluice.mixture.policy.builtin;

import java.util.Arrays;
import java.util.List;

/**
 * Basis distributions over the domains as a sparse matrix P: a column for each basis, whose entries
 * sum to 1. Most domains are in few of them, so a product costs as much as there are entries.
 *
 * @param rows domains that each column has a share of
 * @param shares of those domains
 */
record BasisDistributions(int domains, int[][] rows, double[][] shares) {
  /**
   * The matrix with these columns.
   *
   * @param columns one for each basis, dense over the domains, in any scale
   */
  static BasisDistributions ofColumns(int domains, List<double[]> columns) {
    int[][] rows = new int[columns.size()][];
    double[][] shares = new double[columns.size()][];
    for (int j = 0; j < rows.length; j++) {
      double[] column = columns.get(j);
      double sum = 0;
      for (double share : column) {
        sum += share;
      }
      rows[j] = java.util.stream.IntStream.range(0, domains).filter(i -> column[i] > 0).toArray();
      shares[j] = new double[rows[j].length];
      for (int n = 0; n < rows[j].length; n++) {
        shares[j][n] = column[rows[j][n]] / sum;
      }
    }
    return new BasisDistributions(domains, rows, shares);
  }

  /** P · alpha: weights of the domains for weights of the basis distributions. */
  double[] times(double[] alpha) {
    double[] weights = new double[domains];
    times(alpha, weights);
    return weights;
  }

  /** Likewise, into an array. */
  void times(double[] alpha, double[] weights) {
    Arrays.fill(weights, 0);
    for (int j = 0; j < rows.length; j++) {
      int[] row = rows[j];
      double[] share = shares[j];
      for (int n = 0; n < row.length; n++) {
        weights[row[n]] += share[n] * alpha[j];
      }
    }
  }
}
