package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.TestedModel;
import io.sluice.lab.reproduce.claim.Results;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Measures that several experiments have. */
final class Measures {
  /** Weights that are nearer than this to the final ones, in half the L1 distance, have settled. */
  private static final double SETTLED = 0.05;

  private Measures() {}

  /**
   * What every judged arm's test has.
   *
   * <ul>
   *   <li>{@code test_loss/mean}, {@code test_loss/DOMAIN}: nats per token.
   *   <li>{@code accuracy/mean}, {@code accuracy/DOMAIN}: share of right answers.
   * </ul>
   */
  static Map<String, Double> of(TestedModel test) {
    Map<String, Double> measures = new TreeMap<>();
    test.losses().forEach((domain, loss) -> measures.put("test_loss/" + domain, loss));
    test.accuracy().forEach((of, share) -> measures.put(Results.ACCURACY + of, share));
    measures.put("test_loss/mean", mean(test.losses().values()));
    measures.put(Results.ACCURACY + "mean", mean(test.accuracy().values()));
    return measures;
  }

  /**
   * What every judged arm's run has.
   *
   * <ul>
   *   <li>{@code greatest_weight}: of any domain at the end; {@code greatest_weight_step}: half the
   *       L1 distance between the weights of two rounds, the greatest.
   *   <li>{@code settled_share}: of the run until the weights stay near the final ones.
   *   <li>{@code sequences}: trained on.
   * </ul>
   */
  static Map<String, Double> of(ArmOutcome outcome) {
    Map<String, Double> measures = new TreeMap<>();
    measures.put(
        "greatest_weight",
        outcome.lastWeights().values().stream().mapToDouble(d -> d).max().orElse(0));
    measures.put("greatest_weight_step", greatestStep(outcome.weights()));
    measures.put("settled_share", settled(outcome));
    measures.put("sequences", outcome.sequences().values().stream().mapToDouble(d -> d).sum());
    return measures;
  }

  private static double greatestStep(SortedMap<Long, Map<String, Double>> weights) {
    double greatest = 0;
    Map<String, Double> before = Map.of();
    for (Map<String, Double> next : weights.values()) {
      greatest = before.isEmpty() ? 0 : Math.max(greatest, distance(before, next));
      before = next;
    }
    return greatest;
  }

  private static double settled(ArmOutcome outcome) {
    long settled = 1;
    boolean near = true;
    for (Map.Entry<Long, Map<String, Double>> version : outcome.weights().entrySet()) {
      boolean now = distance(version.getValue(), outcome.lastWeights()) <= SETTLED;
      settled = now && !near ? version.getKey() : settled;
      near = now;
    }
    return (settled - 1) / (double) outcome.steps();
  }

  /** Half the L1 distance of two mixtures. */
  static double distance(Map<String, Double> one, Map<String, Double> other) {
    return one.entrySet().stream()
            .mapToDouble(each -> Math.abs(each.getValue() - other.getOrDefault(each.getKey(), 0.0)))
            .sum()
        / 2;
  }

  /** Held-out losses of a domain, by step. */
  static SortedMap<Long, Double> course(ArmOutcome outcome, String domain) {
    SortedMap<Long, Double> course = new TreeMap<>();
    outcome
        .losses()
        .forEach((step, losses) -> course.put(step, losses.getOrDefault(domain, Double.NaN)));
    return course;
  }

  /** What the last value of a course is above its least. */
  static double rise(SortedMap<Long, Double> course) {
    List<Double> values = new ArrayList<>(course.values());
    double least = values.stream().mapToDouble(d -> d).min().orElse(Double.NaN);
    return values.isEmpty() ? Double.NaN : values.get(values.size() - 1) - least;
  }

  /** The greatest rise from one value of a course to the next; 0 if it only falls. */
  static double spike(SortedMap<Long, Double> course) {
    List<Double> values = new ArrayList<>(course.values());
    double greatest = 0;
    for (int i = 1; i < values.size(); i++) {
      greatest = Math.max(greatest, values.get(i) - values.get(i - 1));
    }
    return greatest;
  }

  /** Mean over some domains. */
  static double mean(Map<String, Double> byDomain, Collection<String> domains) {
    return mean(domains.stream().map(byDomain::get).toList());
  }

  static double mean(Collection<Double> values) {
    return values.stream().mapToDouble(d -> d).average().orElse(Double.NaN);
  }

  /** Standard deviation, of the values themselves. */
  static double deviation(Collection<Double> values) {
    double mean = mean(values);
    return Math.sqrt(
        values.stream().mapToDouble(d -> (d - mean) * (d - mean)).average().orElse(Double.NaN));
  }
}
