package io.sluice.mixture.simulate;

import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a policy did to a scenario.
 *
 * @param points before training, then at every round
 */
public record Trajectory(Scenario scenario, List<Point> points) {
  /**
   * One round.
   *
   * @param batch after which it was measured
   * @param shares the weights in force
   * @param losses true ones, without noise
   */
  public record Point(long batch, double[] shares, double[] losses) {}

  /** Copies the points. */
  public Trajectory {
    points = List.copyOf(points);
  }

  /** Loss of each domain in the end. */
  public double[] finalLosses() {
    return last().losses().clone();
  }

  /** The scenario's objective in the end: its weighted mean of the losses. */
  public double objective() {
    return objective(last());
  }

  /** First measured batch whose objective is at most {@code value}. */
  public OptionalLong batchesTo(double value) {
    return points.stream().filter(p -> objective(p) <= value).mapToLong(Point::batch).findFirst();
  }

  /**
   * How unevenly the domains approach their targets: the greatest less the least share of the way
   * that a domain still has to go, each within [0, 1], as a mean over the rounds.
   *
   * @param targets one loss for each domain; one that is not below its first loss is no way to go,
   *     and its domain is left out
   */
  public double velocitySpread(double[] targets) {
    double[] first = points.get(0).losses();
    double sum = 0;
    for (Point point : points.subList(1, points.size())) {
      double least = 1;
      double most = 0;
      for (int i = 0; i < targets.length; i++) {
        if (!(first[i] > targets[i])) {
          continue;
        }
        double velocity = (point.losses()[i] - targets[i]) / (first[i] - targets[i]);
        least = Math.min(least, Math.max(0, velocity));
        most = Math.max(most, Math.min(1, velocity));
      }
      sum += Math.max(0, most - least);
    }
    return sum / (points.size() - 1);
  }

  /** How much the weights moved in all: the sum over rounds of half their L1 distance. */
  public double churn() {
    return churn(points);
  }

  /** Likewise of any points. */
  public static double churn(List<Point> points) {
    double churn = 0;
    for (int n = 1; n < points.size(); n++) {
      churn += distance(points.get(n - 1).shares(), points.get(n).shares()) / 2;
    }
    return churn;
  }

  /** The mean of the weights over all rounds: what a static run would take to repeat them. */
  public double[] averageShares() {
    double[] mean = new double[scenario.domains().size()];
    for (Point point : points.subList(1, points.size())) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += point.shares()[i] / (points.size() - 1);
      }
    }
    return mean;
  }

  private double objective(Point point) {
    return scenario.objectiveOf(point.losses());
  }

  private Point last() {
    return points.get(points.size() - 1);
  }

  private static double distance(double[] a, double[] b) {
    double[] gaps = new double[a.length];
    Arrays.setAll(gaps, i -> Math.abs(a[i] - b[i]));
    return Arrays.stream(gaps).sum();
  }
}
