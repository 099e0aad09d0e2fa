package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A course with what tables call it.
 *
 * @param isRepeated whether it is the course before it again: the average of weights that never
 *     moved
 */
record Run(String label, Trajectory trajectory, boolean isRepeated) {
  /** The static mixture, then each candidate and its average. */
  static List<Run> of(Trial trial, List<Candidate> candidates, Supplier<Proposals> proposals) {
    List<Run> runs = new ArrayList<>();
    runs.add(new Run(Comparison.STATIC, trial.constant(trial.scenario().initial()), false));
    for (Candidate candidate : candidates) {
      Trajectory course = trial.of(candidate, proposals);
      runs.add(new Run(candidate.label(), course, false));
      boolean still = course.churn() == 0;
      Trajectory average =
          still ? course : trial.constant(Weights.ofShares(course.averageShares()));
      runs.add(new Run(Comparison.AVERAGE_OF + candidate.label(), average, still));
    }
    return runs;
  }

  /** The same with the oracle in the end, which is at least as good as each one's average. */
  static List<Run> withOracle(
      Trial trial, List<Candidate> candidates, Supplier<Proposals> proposals) {
    List<Run> runs = new ArrayList<>(of(trial, candidates, proposals));
    List<double[]> averages = runs.stream().map(run -> run.trajectory.averageShares()).toList();
    Weights best = Weights.ofShares(Oracle.weights(trial, averages));
    runs.add(new Run(Comparison.ORACLE, trial.constant(best), false));
    return runs;
  }
}
