package io.sluice.lab.bench.wait;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.client.run.ExposedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What part of its steps' time a training loop stood still for data.
 *
 * @param exposedWaitShare in [0, 1]
 * @param byCause the same for each cause
 * @param longestWaitMs of one step
 * @param stepSeconds of all steps
 * @param lag batches between a round's step and the first that it governs, less one
 * @param taskManagerRestarts how often one was started again, of those that were killed
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record WaitResult(
    double exposedWaitShare,
    Map<String, Double> byCause,
    double longestWaitMs,
    double stepSeconds,
    long lag,
    int taskManagerRestarts) {
  static final List<String> HEAD = List.of("waited for", "% of step time");

  /** What several runs come to. */
  static final class Sum {
    private ExposedTime exposed = ExposedTime.NONE;
    private Duration longest = Duration.ZERO;
    private int restarts;

    void add(ExposedTime more, Duration longestOfThem, int restarted) {
      exposed = exposed.plus(more);
      longest = longest.compareTo(longestOfThem) < 0 ? longestOfThem : longest;
      restarts += restarted;
    }

    WaitResult result(long lag) {
      return new WaitResult(
          exposed.share(),
          exposed.shares(),
          longest.toNanos() / 1e6,
          exposed.stepNanos() / 1e9,
          lag,
          restarts);
    }
  }

  /** The rows of a table. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("anything", percent(exposedWaitShare)));
    byCause.forEach((cause, share) -> rows.add(List.of("(of it, " + cause + ")", percent(share))));
    return rows;
  }

  /** What the table is of. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%.0f s of steps, lag %d, task managers killed: %d; longest wait of a step %.0f ms",
        stepSeconds,
        lag,
        taskManagerRestarts,
        longestWaitMs);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3f", 100 * share);
  }
}
