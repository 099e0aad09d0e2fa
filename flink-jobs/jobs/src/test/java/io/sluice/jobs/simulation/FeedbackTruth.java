package io.sluice.jobs.simulation;

import io.sluice.mixture.policy.Observation;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which attempt wins each step, told from the feedback partition alone. */
final class FeedbackTruth {
  private static final String METRIC = "eval_loss";

  private final RunSpec spec;
  private final Map<Long, Map<String, TreeMap<Integer, TrainerFeedback>>> steps = new HashMap<>();
  private final Map<Long, String> winners = new HashMap<>();

  FeedbackTruth(RunSpec spec) {
    this.spec = spec;
  }

  /** The partition got another report. */
  void append(TrainerFeedback report) {
    if (winners.containsKey(report.getStep()) || !isValid(report)) {
      return;
    }
    TreeMap<Integer, TrainerFeedback> ranks =
        steps
            .computeIfAbsent(report.getStep(), step -> new HashMap<>())
            .computeIfAbsent(report.getAttempt(), attempt -> new TreeMap<>());
    boolean sameWorld =
        ranks.isEmpty() || ranks.firstEntry().getValue().getWorldSize() == report.getWorldSize();
    if (sameWorld) {
      ranks.putIfAbsent(report.getRank(), report);
      if (ranks.size() == report.getWorldSize()) {
        winners.put(report.getStep(), report.getAttempt());
      }
    }
  }

  private boolean isValid(TrainerFeedback report) {
    List<String> domains = spec.getDomains();
    return report.getTimeline() == 0
        && report.getMetric().equals(METRIC)
        && report.getEntries().stream()
            .allMatch(
                entry ->
                    domains.contains(entry.getDomain())
                        && Double.isFinite(entry.getSum())
                        && entry.getCount() >= 0);
  }

  /** The attempt that won a step; empty if none is complete. */
  Optional<String> winner(long step) {
    return Optional.ofNullable(winners.get(step));
  }

  /** What won a step, its ranks merged in rank order. */
  Observation observation(long step) {
    double[] sums = new double[spec.getDomains().size()];
    long[] counts = new long[sums.length];
    for (TrainerFeedback report : steps.get(step).get(winners.get(step)).values()) {
      for (DomainMeasure entry : report.getEntries()) {
        int domain = spec.getDomains().indexOf(entry.getDomain());
        sums[domain] += entry.getSum();
        counts[domain] += entry.getCount();
      }
    }
    return Observation.at(step).with(METRIC, sums, counts);
  }
}
