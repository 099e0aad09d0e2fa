package io.sluice.mixture.smoothing;

import java.util.Arrays;

/**
 * The weights with a given sum that each stay within their own limits, and the exact projection
 * onto them.
 *
 * <p>The projection is the one of least relative entropy: {@code w_i = clamp(m · v_i, low_i,
 * high_i)} with the one factor m that gives the sum. What a limit cuts off is so shared out in
 * proportion, the ratios of all weights within their limits stay as they are, and a weight of 0
 * stays 0 — the shortest Euclidean way would give every domain the same amount instead, also one
 * that is switched off. Both sides are sorted, so it costs O(k log k) and has no tolerance.
 */
final class CappedSimplex {
  private CappedSimplex() {}

  /**
   * The projection of {@code v}. Where positive weights alone cannot reach the sum, they are at
   * their upper limits and those of weight 0 share the rest, in proportion to {@code current}, or
   * evenly where that is 0 too.
   *
   * @param v not negative
   * @param current not negative
   * @param low at least 0
   * @param high at least {@code low}; the limits must admit {@code sum}
   */
  static double[] project(double[] v, double[] current, double[] low, double[] high, double sum) {
    double[] even = new double[v.length];
    Arrays.fill(even, 1);
    double[] from = low.clone();
    double[] proportions = v.clone();
    for (double[] next : new double[][] {current, even}) {
      if (reachable(proportions, from, high) >= sum) {
        break;
      }
      for (int i = 0; i < v.length; i++) {
        from[i] = proportions[i] > 0 ? high[i] : from[i];
        proportions[i] = from[i] < high[i] ? next[i] : 0;
      }
    }
    return scaled(proportions, from, high, sum);
  }

  private static double reachable(double[] v, double[] low, double[] high) {
    double reachable = 0;
    for (int i = 0; i < v.length; i++) {
      reachable += v[i] > 0 ? high[i] : low[i];
    }
    return reachable;
  }

  private static double[] scaled(double[] v, double[] low, double[] high, double sum) {
    double factor = factor(v, low, high, sum);
    double[] w = new double[v.length];
    for (int i = 0; i < v.length; i++) {
      w[i] = v[i] > 0 ? Math.max(low[i], Math.min(high[i], factor * v[i])) : low[i];
    }
    return w;
  }

  /** The factor at which the clamped weights have the sum: their sum grows with it, in pieces. */
  private static double factor(double[] v, double[] low, double[] high, double sum) {
    double[] leaveLow = new double[v.length];
    double[] reachHigh = new double[v.length];
    int positive = 0;
    double base = 0;
    for (int i = 0; i < v.length; i++) {
      base += low[i];
      if (v[i] > 0) {
        leaveLow[positive] = low[i] / v[i];
        reachHigh[positive] = high[i] / v[i];
        positive++;
      }
    }
    Integer[] byLow = order(leaveLow, positive);
    Integer[] byHigh = order(reachHigh, positive);
    double[] values = Arrays.stream(v).filter(x -> x > 0).toArray();
    double slope = 0;
    double at = 0;
    double reached = base;
    int l = 0;
    int h = 0;
    while (h < positive) {
      double nextLow = l < positive ? leaveLow[byLow[l]] : Double.POSITIVE_INFINITY;
      double nextHigh = reachHigh[byHigh[h]];
      double next = Math.min(nextLow, nextHigh);
      double then = reached + slope * (next - at);
      if (then >= sum && slope > 0) {
        return at + (sum - reached) / slope;
      }
      reached = then;
      at = next;
      if (nextLow <= nextHigh) {
        slope += values[byLow[l]];
        l++;
      } else {
        slope -= values[byHigh[h]];
        h++;
      }
    }
    return at;
  }

  private static Integer[] order(double[] keys, int count) {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(keys[a], keys[b]));
    return order;
  }
}
