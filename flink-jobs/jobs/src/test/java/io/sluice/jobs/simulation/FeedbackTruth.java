package io.sluice.jobs.simulation;

import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.round.Report;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.TrainerFeedback;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which attempt wins each step of each timeline, told from the feedback partition alone. */
final class FeedbackTruth {
  private static final int MAX_NONCE = 128;

  private final Map<TallyKey, Map<String, TreeMap<Integer, TrainerFeedback>>> attempts =
      new HashMap<>();
  private final Map<TallyKey, String> winners = new HashMap<>();
  private final Set<String> metrics;

  /** The measurement of a step whose attempts are tallied. */
  private record TallyKey(int timeline, long step, String metric) {}

  /**
   * @param metrics that some policy of the run asks for
   */
  FeedbackTruth(Set<String> metrics) {
    this.metrics = metrics;
  }

  /** The partition got another report. */
  void append(TrainerFeedback report, List<String> domains) {
    TallyKey key = new TallyKey(report.getTimeline(), report.getStep(), report.getMetric());
    if (!isValid(report, domains)) {
      return;
    }
    TreeMap<Integer, TrainerFeedback> ranks =
        attempts
            .computeIfAbsent(key, tally -> new HashMap<>())
            .computeIfAbsent(report.getAttempt(), attempt -> new TreeMap<>());
    boolean sameWorld =
        ranks.isEmpty() || ranks.firstEntry().getValue().getWorldSize() == report.getWorldSize();
    if (sameWorld) {
      ranks.putIfAbsent(report.getRank(), report);
      if (ranks.size() == report.getWorldSize()) {
        winners.putIfAbsent(key, report.getAttempt());
      }
    }
  }

  /** Whether a report can count at all. */
  boolean isValid(TrainerFeedback report, List<String> domains) {
    Set<String> named = new LinkedHashSet<>();
    boolean measured =
        report.getEntries().stream()
            .allMatch(
                entry ->
                    domains.contains(entry.getDomain())
                        && named.add(entry.getDomain())
                        && Double.isFinite(entry.getSum())
                        && entry.getCount() >= 0);
    return measured
        && metrics.contains(report.getMetric())
        && report.getStep() >= 0
        && !report.getAttempt().isEmpty()
        && report.getAttempt().length() <= MAX_NONCE
        && report.getWorldSize() >= 1
        && report.getWorldSize() <= Report.MAX_WORLD
        && report.getRank() >= 0
        && report.getRank() < report.getWorldSize();
  }

  /** The attempts that won a step, without repetition; empty if a metric has none. */
  Optional<String> winner(int timeline, long step, List<String> wanted) {
    Set<String> won = new LinkedHashSet<>();
    for (String metric : wanted) {
      String winner = winners.get(new TallyKey(timeline, step, metric));
      if (winner == null) {
        return Optional.empty();
      }
      won.add(winner);
    }
    return Optional.of(String.join(",", won));
  }

  /** What won a step, its ranks merged in rank order. */
  Observation observation(int timeline, long step, List<String> wanted, List<String> domains) {
    Observation merged = Observation.at(step);
    for (String metric : wanted) {
      TallyKey key = new TallyKey(timeline, step, metric);
      merged = merge(merged, metric, attempts.get(key).get(winners.get(key)), domains);
    }
    return merged;
  }

  private static Observation merge(
      Observation merged,
      String metric,
      SortedMap<Integer, TrainerFeedback> ranks,
      List<String> domains) {
    double[] sums = new double[domains.size()];
    long[] counts = new long[sums.length];
    for (TrainerFeedback report : ranks.values()) {
      for (DomainMeasure entry : report.getEntries()) {
        int domain = domains.indexOf(entry.getDomain());
        if (domain >= 0) {
          sums[domain] += entry.getSum();
          counts[domain] += entry.getCount();
        }
      }
    }
    return merged.with(metric, sums, counts);
  }
}
