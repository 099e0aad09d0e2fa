package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Policies side by side on one scenario, always with the static mixture, the oracle, and for each
 * policy the static run of its own average weights, which tells what its course adds.
 *
 * @param targets final losses of the static mixture: what velocities are measured against, and what
 *     policies that need target losses get unless they name their own
 */
public record Comparison(Scenario scenario, double[] targets, List<Entry> entries) {
  /** Label of the run that keeps the scenario's initial weights. */
  public static final String STATIC = "static";

  /** Label of the run that keeps the best constant weights. */
  public static final String ORACLE = "oracle";

  /**
   * What one policy came to.
   *
   * @param gapToOracle of the objective, in nats
   * @param velocitySpread see {@link Trajectory#velocitySpread}
   * @param batchesToTarget until the objective is what the static mixture ends with; empty if never
   */
  public record Entry(
      String label,
      Trajectory trajectory,
      double gapToOracle,
      double velocitySpread,
      OptionalLong batchesToTarget) {}

  private record Run(String label, Trajectory trajectory) {}

  /** Copies the entries. */
  public Comparison {
    entries = List.copyOf(entries);
  }

  /**
   * Runs the candidates, of which some may ask another process.
   *
   * @param seed of learners and of the measurements' noise, the same for every candidate
   * @param proposals makes one for each candidate that asks, and closes it
   * @throws IllegalArgumentException if a candidate's settings are bad, or its policy needs what
   *     simulated trainers cannot measure
   */
  public static Comparison of(
      Scenario scenario, List<Candidate> candidates, long seed, Supplier<Proposals> proposals) {
    Trial trial = Trial.of(scenario, seed);
    Trajectory still = trial.constant(scenario.initial());
    Trajectory best = trial.constant(Weights.ofShares(Oracle.weights(scenario, trial.untrained())));
    double[] targets = still.finalLosses();
    List<Run> runs = new ArrayList<>();
    runs.add(new Run(STATIC, still));
    for (Candidate candidate : candidates) {
      Trajectory course = trial.of(candidate, targets, proposals);
      runs.add(new Run(candidate.label(), course));
      if (course.churn() > 0) {
        Weights average = Weights.ofShares(course.averageShares());
        runs.add(new Run("average of " + candidate.label(), trial.constant(average)));
      }
    }
    runs.add(new Run(ORACLE, best));
    List<Entry> entries = new ArrayList<>();
    for (Run run : runs) {
      Trajectory course = run.trajectory;
      entries.add(
          new Entry(
              run.label,
              course,
              course.objective() - best.objective(),
              course.velocitySpread(targets),
              course.batchesTo(still.objective())));
    }
    return new Comparison(scenario, targets, entries);
  }
}
