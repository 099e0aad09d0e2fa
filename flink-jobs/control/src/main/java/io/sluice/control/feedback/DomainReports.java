package io.sluice.control.feedback;

import io.sluice.mixture.round.Report;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.TrainerFeedback;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what trainers reported of the domains of a run. */
public final class DomainReports {
  private final Map<String, Integer> places = new HashMap<>();

  /** Reports of these domains, in whose order they have their values. */
  public DomainReports(List<String> domains) {
    domains.forEach(domain -> places.put(domain, places.size()));
  }

  /** What was reported of the domains: of others, it says nothing about the run. */
  public Report read(TrainerFeedback feedback) {
    double[] sums = new double[places.size()];
    long[] counts = new long[sums.length];
    for (DomainMeasure measure : feedback.getEntries()) {
      Integer domain = places.get(measure.getDomain());
      if (domain != null) {
        sums[domain] = measure.getSum();
        counts[domain] = measure.getCount();
      }
    }
    return new Report(
        feedback.getTimeline(),
        feedback.getStep(),
        feedback.getAttempt(),
        feedback.getWorldSize(),
        feedback.getRank(),
        feedback.getMetric(),
        sums,
        counts);
  }
}
