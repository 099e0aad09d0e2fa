package io.sluice.serve.course;

import io.sluice.control.feedback.DomainReports;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import io.sluice.schema.TrainerFeedback;
import java.util.ArrayList;
import java.util.List;
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
  private final TreeMap<Step, float[]> merged = new TreeMap<>();

  /** A batch, as a timeline has it. */
  private record Step(long batch, int timeline) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int batches = Long.compare(batch, other.batch);
      return batches == 0 ? Integer.compare(timeline, other.timeline) : batches;
    }
  }

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
    Report report = new DomainReports(domains).read(feedback);
    if (report.unsound(domains).isPresent()) {
      return;
    }
    Step step = new Step(report.step(), report.timeline());
    if (merged.containsKey(step)) {
      return;
    }
    StepReports reports = open.computeIfAbsent(step, any -> new StepReports());
    reports.offer(report);
    Optional<StepReports.Winner> winner = reports.winner(report.step(), List.of(metric));
    if (winner.isPresent()) {
      open.remove(step);
      merged.put(step, means(winner.get().observation(), domains.size()));
      thin();
    } else if (open.size() > MOST_OPEN) {
      open.pollFirstEntry();
    }
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
    List<Step> steps = new ArrayList<>(merged.keySet());
    for (int i = 1; i < steps.size() - 1; i += 2) {
      merged.remove(steps.get(i));
    }
  }

  /** The means of batches that stand, oldest first; NaN where nothing was measured. */
  public List<Series.Row> standing(Lineage lineage) {
    List<Series.Row> rows = new ArrayList<>();
    merged.forEach(
        (step, means) -> {
          if (lineage.owner(step.batch()) == step.timeline()) {
            rows.add(new Series.Row(step.batch(), means));
          }
        });
    return rows;
  }
}
