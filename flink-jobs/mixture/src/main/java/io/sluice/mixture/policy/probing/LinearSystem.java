package io.sluice.mixture.policy.probing;

import java.util.Optional;

/** A square system of linear equations, decomposed once for any number of right sides. */
final class LinearSystem {
  private final int size;
  private final double[] factors;
  private final int[] order;

  private LinearSystem(int size, double[] factors, int[] order) {
    this.size = size;
    this.factors = factors;
    this.order = order;
  }

  /**
   * The system of a matrix, by elimination with partial pivoting.
   *
   * @param matrix by rows, {@code size} of them; is not changed
   * @param leastPivot in absolute value
   * @return nothing if a pivot is smaller or not a number: then the rows do not tell the unknowns
   *     apart
   */
  static Optional<LinearSystem> of(double[] matrix, int size, double leastPivot) {
    double[] factors = matrix.clone();
    int[] order = new int[size];
    for (int row = 0; row < size; row++) {
      order[row] = row;
    }
    LinearSystem system = new LinearSystem(size, factors, order);
    for (int column = 0; column < size; column++) {
      system.swap(column, system.pivotOf(column));
      double pivot = factors[column * size + column];
      if (!(Math.abs(pivot) >= leastPivot)) {
        return Optional.empty();
      }
      system.eliminate(column, pivot);
    }
    return Optional.of(system);
  }

  /**
   * The unknowns.
   *
   * @param right one value for each row of the matrix
   */
  double[] solve(double[] right) {
    double[] unknowns = new double[size];
    for (int row = 0; row < size; row++) {
      unknowns[row] = right[order[row]];
      for (int column = 0; column < row; column++) {
        unknowns[row] -= factors[row * size + column] * unknowns[column];
      }
    }
    for (int row = size - 1; row >= 0; row--) {
      for (int column = row + 1; column < size; column++) {
        unknowns[row] -= factors[row * size + column] * unknowns[column];
      }
      unknowns[row] /= factors[row * size + row];
    }
    return unknowns;
  }

  private int pivotOf(int column) {
    int best = column;
    for (int row = column + 1; row < size; row++) {
      if (Math.abs(factors[row * size + column]) > Math.abs(factors[best * size + column])) {
        best = row;
      }
    }
    return best;
  }

  private void swap(int one, int other) {
    for (int column = 0; column < size; column++) {
      double kept = factors[one * size + column];
      factors[one * size + column] = factors[other * size + column];
      factors[other * size + column] = kept;
    }
    int kept = order[one];
    order[one] = order[other];
    order[other] = kept;
  }

  private void eliminate(int column, double pivot) {
    for (int row = column + 1; row < size; row++) {
      double factor = factors[row * size + column] / pivot;
      factors[row * size + column] = factor;
      for (int next = column + 1; next < size; next++) {
        factors[row * size + next] -= factor * factors[column * size + next];
      }
    }
  }
}
