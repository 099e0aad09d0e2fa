package io.sluice.cli.sweep;

import java.util.Map;

/**
 * What came of a run of a sweep.
 *
 * @param asked what it was asked for, see {@link SweepRunner#asked}
 * @param losses held-out, in nats per token, by domain, at its last step
 * @param weights shares of the sequences that it was granted, by domain
 */
record SweptRun(
    String run,
    String arm,
    int seed,
    String asked,
    Map<String, Double> losses,
    Map<String, Double> weights) {
  /** All losses in one. */
  double loss(Map<String, Double> aims) {
    double sum = 0;
    double weight = 0;
    for (Map.Entry<String, Double> each : losses.entrySet()) {
      double aim = aims.isEmpty() ? 1 : aims.getOrDefault(each.getKey(), 0.0);
      sum += aim * each.getValue();
      weight += aim;
    }
    return sum / weight;
  }
}
