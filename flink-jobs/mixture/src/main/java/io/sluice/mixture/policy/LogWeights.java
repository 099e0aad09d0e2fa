package io.sluice.mixture.policy;

import java.util.Arrays;

/**
 * Exponentiated-gradient steps on the simplex, with the normalised log-weights as state: weights
 * themselves would underflow to 0 and never come back.
 */
final class LogWeights {
  private LogWeights() {}

  /** ln of shares that need not sum to 1; a zero share gives −∞. */
  static double[] of(double[] shares) {
    double[] log = new double[shares.length];
    for (int i = 0; i < log.length; i++) {
      log[i] = Math.log(shares[i]);
    }
    return normalised(log);
  }

  /**
   * One step: {@code z = ln w + eta · score}, normalised by log-sum-exp; with a floor c the weights
   * become {@code (1 − c) · softmax(z) + c / k}.
   */
  static double[] step(double[] logWeights, double eta, double[] scores, double floor) {
    double[] z = logWeights.clone();
    for (int i = 0; i < z.length; i++) {
      z[i] += eta * scores[i];
    }
    double[] next = normalised(z);
    if (floor > 0) {
      double[] shares = shares(next);
      for (int i = 0; i < shares.length; i++) {
        next[i] = Math.log((1 - floor) * shares[i] + floor / shares.length);
      }
    }
    return next;
  }

  /** The weights themselves, summing to 1 up to rounding. */
  static double[] shares(double[] logWeights) {
    double[] shares = new double[logWeights.length];
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = Math.exp(logWeights[i]);
      sum += shares[i];
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= sum;
    }
    return shares;
  }

  private static double[] normalised(double[] z) {
    double max = Arrays.stream(z).max().orElseThrow();
    double sum = 0;
    for (double value : z) {
      sum += Math.exp(value - max);
    }
    double logSum = max + Math.log(sum);
    for (int i = 0; i < z.length; i++) {
      z[i] -= logSum;
    }
    return z;
  }
}
