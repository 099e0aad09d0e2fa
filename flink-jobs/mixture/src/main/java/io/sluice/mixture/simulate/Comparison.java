package io.sluice.mixture.simulate;

import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Policies side by side on one scenario, always with the static mixture, the oracle, and for each
 * policy the static run of its own average weights, which tells what its course adds.
 *
 * @param targets final losses of the static mixture: what velocities are measured against. No
 *     policy knows them: one that needs target losses gets estimates, unless it names its own
 */
public record Comparison(Scenario scenario, double[] targets, List<Entry> entries) {
  /** Label of the run that keeps the scenario's initial weights. */
  public static final String STATIC = "static";

  /** Before the label of the run that keeps the mean of a candidate's weights. */
  public static final String AVERAGE_OF = "average of ";

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
    List<Run> runs =
        new ArrayList<>(Run.withOracle(new Trial(scenario, seed), candidates, proposals));
    Trajectory still = runs.get(0).trajectory();
    Trajectory best = runs.get(runs.size() - 1).trajectory();
    runs.removeIf(Run::isRepeated);
    double[] targets = still.finalLosses();
    List<Entry> entries = new ArrayList<>();
    for (Run run : runs) {
      Trajectory course = run.trajectory();
      entries.add(
          new Entry(
              run.label(),
              course,
              course.objective() - best.objective(),
              course.velocitySpread(targets),
              course.batchesTo(still.objective())));
    }
    return new Comparison(scenario, targets, entries);
  }
}
