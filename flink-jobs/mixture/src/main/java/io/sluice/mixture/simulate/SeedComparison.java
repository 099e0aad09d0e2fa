package io.sluice.mixture.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Policies on the same scenario with many seeds: what is left of a difference once learners and
 * noise are drawn again and again.
 *
 * @param seeds how many: 1, 2, …
 * @param rows the static mixture's, then one for each candidate
 */
public record SeedComparison(Scenario scenario, int seeds, List<Row> rows) {
  /**
   * One policy over all seeds.
   *
   * @param loss the objective in the end
   * @param beyondFirst how far it is above the first candidate's with the same seed
   * @param churn see {@link Trajectory#churn}
   */
  public record Row(String label, Estimate loss, Estimate beyondFirst, Estimate churn) {}

  /**
   * A mean over the seeds.
   *
   * @param error its standard error; NaN with one seed
   */
  public record Estimate(double mean, double error) {
    static Estimate of(double[] values) {
      double mean = Arrays.stream(values).average().orElseThrow();
      double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
      return new Estimate(mean, Math.sqrt(squares / (values.length - 1) / values.length));
    }
  }

  /** Copies the rows. */
  public SeedComparison {
    rows = List.copyOf(rows);
  }

  /**
   * Runs the candidates with each of the seeds.
   *
   * @param candidates at least one
   * @param seeds at least 1
   * @param proposals as in {@link Comparison}
   */
  public static SeedComparison of(
      Scenario scenario, List<Candidate> candidates, int seeds, Supplier<Proposals> proposals) {
    Map<String, List<Trajectory>> courses = new LinkedHashMap<>();
    for (int seed = 1; seed <= seeds; seed++) {
      Trial trial = Trial.of(scenario, seed);
      Trajectory still = trial.constant(scenario.initial());
      add(courses, Comparison.STATIC, still);
      for (Candidate candidate : candidates) {
        add(courses, candidate.label(), trial.of(candidate, still.finalLosses(), proposals));
      }
    }
    double[] first = objectives(Objects.requireNonNull(courses.get(candidates.get(0).label())));
    List<Row> rows = new ArrayList<>();
    courses.forEach(
        (label, runs) -> {
          double[] losses = objectives(runs);
          double[] beyond =
              IntStream.range(0, seeds).mapToDouble(n -> losses[n] - first[n]).toArray();
          double[] churn = runs.stream().mapToDouble(Trajectory::churn).toArray();
          rows.add(new Row(label, Estimate.of(losses), Estimate.of(beyond), Estimate.of(churn)));
        });
    return new SeedComparison(scenario, seeds, rows);
  }

  private static void add(Map<String, List<Trajectory>> courses, String label, Trajectory course) {
    courses.computeIfAbsent(label, any -> new ArrayList<>()).add(course);
  }

  private static double[] objectives(List<Trajectory> courses) {
    return courses.stream().mapToDouble(Trajectory::objective).toArray();
  }
}
