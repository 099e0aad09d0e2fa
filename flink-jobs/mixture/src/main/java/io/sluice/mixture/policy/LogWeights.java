package io.sluice.mixture.policy;

import org.jspecify.annotations.Nullable;

/**
 * A point on the simplex kept as normalised log-weights: the weights themselves would underflow to
 * 0 and never come back. Arrays that it hands out are not to be changed.
 */
final class LogWeights {
  private final double[] logs;
  private double @Nullable [] shares;

  private LogWeights(double[] logs, double @Nullable [] shares) {
    this.logs = logs;
    this.shares = shares;
  }

  /** From the normalised log-weights of another instance; takes the array over. */
  static LogWeights ofNormalised(double[] logs) {
    return new LogWeights(logs, null);
  }

  /** From weights that need not sum to 1. */
  static LogWeights ofShares(double[] shares) {
    double[] logs = new double[shares.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(shares[i]);
    }
    return ofLogs(logs);
  }

  /** From log-weights in any scale; takes the array over. */
  static LogWeights ofLogs(double[] logs) {
    double max = Double.NEGATIVE_INFINITY;
    for (double log : logs) {
      max = Math.max(max, log);
    }
    double[] shares = new double[logs.length];
    double sum = 0;
    for (int i = 0; i < logs.length; i++) {
      shares[i] = Math.exp(logs[i] - max);
      sum += shares[i];
    }
    double logSum = max + Math.log(sum);
    for (int i = 0; i < logs.length; i++) {
      logs[i] -= logSum;
      shares[i] /= sum;
    }
    return new LogWeights(logs, shares);
  }

  /** ln of each weight; −∞ for a weight of 0. */
  double[] logs() {
    return logs;
  }

  /** The weights, summing to 1 up to rounding. */
  double[] shares() {
    if (shares == null) {
      shares = ofLogs(logs.clone()).shares();
    }
    return shares;
  }

  /**
   * One step of exponentiated gradient: {@code z = ln w + eta · score}, normalised by log-sum-exp.
   */
  LogWeights step(double eta, double[] scores) {
    double[] z = logs.clone();
    for (int i = 0; i < z.length; i++) {
      z[i] += eta * scores[i];
    }
    return ofLogs(z);
  }

  /** These weights mixed with uniform ones: {@code (1 − c) · w + c / k}. */
  LogWeights withFloor(double floor) {
    if (floor == 0) {
      return this;
    }
    double[] mixed = shares().clone();
    double[] mixedLogs = new double[mixed.length];
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] = (1 - floor) * mixed[i] + floor / mixed.length;
      mixedLogs[i] = Math.log(mixed[i]);
    }
    return new LogWeights(mixedLogs, mixed);
  }
}
