package io.sluice.cli.run.course;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.MixtureCourse;
import io.sluice.cli.plot.MixtureFigure;
import io.sluice.control.history.RunHistory;
import io.sluice.control.targets.LossHistory;
import io.sluice.mixture.plan.Weights;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What a run mixed, and what was measured on the way: of a run that was rewound, what stands.
 *
 * @param domains all that the run ever had; those that were added come last
 * @param versions that stand, oldest first
 * @param granted the last batch
 */
record RunCourse(
    String run,
    List<String> domains,
    List<RunHistory.Version> versions,
    long granted,
    LossHistory losses) {
  static RunCourse of(RunHistory history, LossHistory losses) {
    return new RunCourse(
        history.name(),
        history.spec().getDomains(),
        standing(history.versions()),
        history.state().position().granted(),
        losses);
  }

  /** A rewind takes the place of what governed the batches from its first one on. */
  static List<RunHistory.Version> standing(List<RunHistory.Version> versions) {
    Deque<RunHistory.Version> standing = new ArrayDeque<>();
    for (RunHistory.Version version : versions) {
      while (!standing.isEmpty() && standing.getLast().firstBatch() >= version.firstBatch()) {
        standing.removeLast();
      }
      standing.addLast(version);
    }
    return List.copyOf(standing);
  }

  Figure figure() {
    return MixtureFigure.of("run " + run + ": what was mixed", domains, List.of(drawn()));
  }

  /** The weights that governed a batch: those of the first for batch 0. */
  Weights at(long batch) {
    Weights weights = versions.get(0).weights();
    for (RunHistory.Version version : versions) {
      weights = version.firstBatch() <= batch ? version.weights() : weights;
    }
    return weights;
  }

  MixtureCourse drawn() {
    double[] bounds = new double[versions.size() + 1];
    Arrays.setAll(bounds, i -> i < versions.size() ? versions.get(i).firstBatch() - 1 : granted);
    return new MixtureCourse(
        run,
        bounds,
        versions.stream().map(version -> shares(version.weights())).toList(),
        losses.losses().keySet().stream().mapToDouble(Long::doubleValue).toArray(),
        losses.losses().values().stream().map(this::filled).toList());
  }

  /** A domain that was added later had no weight before. */
  private double[] shares(Weights weights) {
    return Arrays.copyOf(weights.shares(), domains.size());
  }

  /** Losses may have been read a moment after the weights, or before. */
  private double[] filled(double[] measured) {
    double[] all = new double[domains.size()];
    Arrays.setAll(all, i -> i < measured.length ? measured[i] : Double.NaN);
    return all;
  }

  String summary() {
    return "run %s: %d mixture versions of %d domains up to batch %d, losses at %d steps"
        .formatted(run, versions.size(), domains.size(), granted, losses.rounds().size());
  }
}
