package io.sluice.mixture.policy.builtin;

/**
 * The mean of the weights so far.
 *
 * @param count how many went into it
 */
record RunningMean(long count, double[] values) {
  static RunningMean none(int domains) {
    return new RunningMean(0, new double[domains]);
  }

  /** The mean with one more. */
  RunningMean with(double[] shares) {
    double[] next = new double[values.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = (count * values[i] + shares[i]) / (count + 1);
    }
    return new RunningMean(count + 1, next);
  }
}
