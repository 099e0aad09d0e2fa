package io.sluice.mixture.simulate;

import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Policies on the same scenario with many seeds: what is left of a difference once learners and
 * noise are drawn again and again.
 *
 * @param seeds how many: 1, 2, …
 * @param rows the static mixture's, then each candidate's with that of its average weights, then
 *     the oracle's, which is found for each seed anew
 */
public record SeedComparison(Scenario scenario, int seeds, List<Row> rows) {
  /**
   * One policy over all seeds.
   *
   * @param loss the objective in the end
   * @param beyondStatic how far it is above the static mixture's with the same seed
   * @param beyondFirst how far it is above the first candidate's with the same seed
   * @param churn see {@link Trajectory#churn}
   */
  public record Row(
      String label, Estimate loss, Estimate beyondStatic, Estimate beyondFirst, Estimate churn) {}

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
    List<List<Run>> bySeed =
        IntStream.rangeClosed(1, seeds)
            .mapToObj(seed -> Run.withOracle(new Trial(scenario, seed), candidates, proposals))
            .toList();
    double[] still = objectives(bySeed, 0);
    double[] first = objectives(bySeed, 1);
    List<Row> rows = new ArrayList<>();
    for (int n = 0; n < bySeed.get(0).size(); n++) {
      int row = n;
      if (bySeed.stream().allMatch(runs -> runs.get(row).isRepeated())) {
        continue;
      }
      double[] losses = objectives(bySeed, row);
      double[] churn =
          bySeed.stream().mapToDouble(runs -> runs.get(row).trajectory().churn()).toArray();
      rows.add(
          new Row(
              bySeed.get(0).get(row).label(),
              Estimate.of(losses),
              Estimate.of(beyond(losses, still)),
              Estimate.of(beyond(losses, first)),
              Estimate.of(churn)));
    }
    return new SeedComparison(scenario, seeds, rows);
  }

  private static double[] objectives(List<List<Run>> bySeed, int row) {
    return bySeed.stream().mapToDouble(runs -> runs.get(row).trajectory().objective()).toArray();
  }

  private static double[] beyond(double[] losses, double[] others) {
    double[] beyond = new double[losses.length];
    Arrays.setAll(beyond, n -> losses[n] - others[n]);
    return beyond;
  }
}
