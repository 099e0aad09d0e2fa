package io.sluice.control.bundle;

import io.sluice.schema.TrainerFeedback;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Of what trainers said, the reports that count: of each step and metric those of the attempt that
 * was complete first, each rank's first word. By these rounds were closed.
 */
final class AcceptedReports {
  private final List<TrainerFeedback> all = new ArrayList<>();
  private final Map<Measured, Map<String, Set<Integer>>> ranks = new HashMap<>();
  private final Map<Measured, String> won = new HashMap<>();

  /** What one step measures. */
  private record Measured(int timeline, long step, String metric) {}

  /** Takes the next report in the order of the topic. */
  void take(TrainerFeedback report) {
    Measured of = of(report);
    String winner = won.get(of);
    if (winner != null || report.getRank() < 0 || report.getRank() >= report.getWorldSize()) {
      return;
    }
    Set<Integer> said =
        ranks
            .computeIfAbsent(of, unknown -> new HashMap<>())
            .computeIfAbsent(report.getAttempt(), unknown -> new HashSet<>());
    if (said.add(report.getRank())) {
      all.add(report);
    }
    if (said.size() == report.getWorldSize()) {
      won.put(of, report.getAttempt());
      ranks.remove(of);
    }
  }

  /** Those that count, in their order. */
  List<TrainerFeedback> accepted() {
    return all.stream().filter(report -> report.getAttempt().equals(won.get(of(report)))).toList();
  }

  private static Measured of(TrainerFeedback report) {
    return new Measured(report.getTimeline(), report.getStep(), report.getMetric());
  }
}
