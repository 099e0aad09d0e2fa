package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import java.util.ArrayList;
import java.util.List;

/** Where in its stages a tree is. */
final class TreeSchedule {
  private static final long UNKNOWN = -1;

  private TreeSchedule() {}

  /**
   * A place in the stages.
   *
   * @param stage from 0
   * @param begin last batch before the stage
   * @param means of the held-out losses since it began
   */
  record Place(int stage, long begin, double[] means) {}

  /**
   * The place of the batches that come after {@code after}.
   *
   * @param observation that the decision about them is made from
   */
  static Place advance(
      List<TreeStage> stages, Cadence run, TreeState before, long after, Observation observation) {
    Place at = new Place(before.stage(), before.begin(), before.means());
    TreeCondition when = stages.get(at.stage).when();
    if (when != null) {
      double[] losses = observation.means(Metrics.EVAL_LOSS);
      double[] means = when.with(at.means, losses);
      at =
          when.holds(losses, means)
              ? new Place(at.stage + 1, after, new double[0])
              : new Place(at.stage, at.begin, means);
    }
    while (at.stage + 1 < stages.size() && isOver(stages.get(at.stage), run, at.begin, after)) {
      long end = Math.min(after, stages.get(at.stage).lastBatch(run, at.begin));
      at = new Place(at.stage + 1, end, new double[0]);
    }
    return at;
  }

  private static boolean isOver(TreeStage stage, Cadence run, long begin, long after) {
    return stage.lastBatch(run, begin) <= after;
  }

  /**
   * Refuses rounds that do not meet the batches at which stages end.
   *
   * @throws IllegalArgumentException naming the key, the two nearest rounds, and the two nearest
   *     distances of rounds that would meet it
   */
  static void check(List<TreeStage> stages, Cadence run) {
    long begin = 0;
    for (TreeStage stage : stages) {
      if (stage.until() != null) {
        long last = stage.until().lastBatch(run);
        requireAfter(stage.path() + ".until", last, begin);
        if (!stage.until().inSequences()) {
          requireMet(stage.path() + ".until", last, run.lag(), run);
        }
        begin = last;
      } else if (stage.length() > 0) {
        requireMet(stage.path() + ".for", stage.length(), 0, run);
        begin = begin == UNKNOWN ? UNKNOWN : begin + stage.length();
      } else {
        begin = UNKNOWN;
      }
    }
  }

  private static void requireAfter(String key, long last, long begin) {
    if (begin == UNKNOWN) {
      throw new IllegalArgumentException(
          key
              + " must be given as 'for' instead, because the stage before ends when losses say so,"
              + " or that stage must have an 'until' too: batch "
              + last);
    }
    if (last <= begin) {
      throw new IllegalArgumentException(
          key + " must be after batch " + begin + ", where the stage before ends: batch " + last);
    }
  }

  private static void requireMet(String key, long batch, long lag, Cadence run) {
    long distance = batch - lag;
    if (distance >= run.every() && distance % run.every() == 0) {
      return;
    }
    long below = Math.max(1, distance / run.every()) * run.every();
    long above = (Math.max(0, distance) / run.every() + 1) * run.every();
    throw new IllegalArgumentException(
        key
            + " must be where a round takes effect, every "
            + run.every()
            + " batches with lag "
            + run.lag()
            + ": "
            + batch
            + "; the nearest are "
            + (below + lag)
            + " and "
            + (above + lag)
            + (distance > 0 ? ", or every: " + nearestDivisors(distance, run.every()) : ""));
  }

  /** The greatest divisor below, and the least above, of those there are. */
  private static String nearestDivisors(long number, long near) {
    long below = near;
    while (below > 1 && number % below != 0) {
      below--;
    }
    long above = number;
    for (long d = 1; d * d <= number; d++) {
      if (number % d == 0) {
        above = d > near ? Math.min(above, d) : above;
        above = number / d > near ? Math.min(above, number / d) : above;
      }
    }
    List<String> nearest = new ArrayList<>(List.of(Long.toString(below)));
    if (above > near) {
      nearest.add(Long.toString(above));
    }
    return String.join(" or ", nearest);
  }
}
