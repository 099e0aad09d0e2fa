package io.sluice.serve.course;

import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.TrainerFeedback;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a run's trainers measured of each domain after batches, merged over their ranks as the run
 * itself does, in bounded memory: when there is too much of it, every second batch goes. Not
 * thread-safe.
 */
public final class Measured {
  /** Most batches of which some ranks have reported and others have not. */
  private static final int MOST_OPEN = 64;

  private final String metric;
  private final int most;
  private final TreeMap<Step, StepReports> open = new TreeMap<>();
  private final TreeMap<Long, Merged> merged = new TreeMap<>();

  /** A batch, as a timeline has it. */
  private record Step(long batch, int timeline) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int batches = Long.compare(batch, other.batch);
      return batches == 0 ? Integer.compare(timeline, other.timeline) : batches;
    }
  }

  /** What ranks together measured, and on which timeline. */
  private record Merged(int timeline, float[] means) {}

  /**
   * Nothing was measured yet.
   *
   * @param metric name of what is measured
   * @param most batches of which it is kept, at least {@link Series#LEAST}
   */
  public Measured(String metric, int most) {
    this.metric = metric;
    this.most = Math.max(Series.LEAST, most);
  }

  /** Takes a report, if it is of the metric and sound. */
  public void offer(TrainerFeedback feedback, List<String> domains) {
    if (!feedback.getMetric().equals(metric)) {
      return;
    }
    Report report = report(feedback, domains);
    if (report.unsound(domains).isPresent()) {
      return;
    }
    long step = report.step();
    Merged known = merged.get(step);
    if (known != null && known.timeline() >= report.timeline()) {
      return;
    }
    Step at = new Step(step, report.timeline());
    StepReports reports = open.computeIfAbsent(at, any -> new StepReports());
    reports.offer(report);
    Optional<StepReports.Winner> winner = reports.winner(step, List.of(metric));
    if (winner.isPresent()) {
      open.remove(at);
      merged.put(
          step, new Merged(report.timeline(), means(winner.get().observation(), domains.size())));
      thin();
    } else if (open.size() > MOST_OPEN) {
      open.pollFirstEntry();
    }
  }

  /** What was reported of the run's domains: of others, it says nothing about it. */
  private static Report report(TrainerFeedback feedback, List<String> domains) {
    double[] sums = new double[domains.size()];
    long[] counts = new long[sums.length];
    Map<String, Integer> places = new HashMap<>();
    domains.forEach(domain -> places.put(domain, places.size()));
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

  private float[] means(Observation heard, int domains) {
    double[] means = heard.means(metric);
    float[] all = new float[domains];
    for (int i = 0; i < domains; i++) {
      all[i] = (float) means[i];
    }
    return all;
  }

  private void thin() {
    if (merged.size() <= most) {
      return;
    }
    long last = merged.lastKey();
    List<Long> steps = new ArrayList<>(merged.keySet());
    for (int i = 1; i < steps.size(); i += 2) {
      if (steps.get(i) != last) {
        merged.remove(steps.get(i));
      }
    }
  }

  /** The means of batches that stand, oldest first; NaN where nothing was measured. */
  public List<Series.Row> standing(Lineage lineage) {
    List<Series.Row> rows = new ArrayList<>();
    merged.forEach(
        (step, each) -> {
          if (lineage.owner(step) == each.timeline()) {
            rows.add(new Series.Row(step, each.means()));
          }
        });
    return rows;
  }

  /** The last batch after which something was measured; -1 before. */
  public long newest() {
    return merged.isEmpty() ? -1 : merged.lastKey();
  }
}
