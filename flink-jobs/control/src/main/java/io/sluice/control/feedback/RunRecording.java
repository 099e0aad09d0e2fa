package io.sluice.control.feedback;

import io.sluice.control.wire.FeedbackWire;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TrainerFeedback;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a run's trainers measured at the steps of rounds: for each the attempt that was complete
 * first, its ranks merged in rank order, as the run's own rounds took it.
 */
public final class RunRecording {
  /** Most names of metrics that are kept for messages. */
  private static final int MOST_NAMES = 64;

  private final StandingRounds run;
  private final Set<Long> steps;
  private final Set<String> wanted;
  private final Map<Map<String, List<String>>, StepReports> reports = new HashMap<>();
  private final TreeSet<String> sent = new TreeSet<>();

  private RunRecording(
      StandingRounds run,
      Set<Long> steps,
      Set<String> wanted,
      Collection<Map<String, List<String>>> measured) {
    this.run = run;
    this.steps = Set.copyOf(steps);
    this.wanted = Set.copyOf(wanted);
    measured.forEach(of -> reports.put(Map.copyOf(of), new StepReports()));
    reports.putIfAbsent(Map.of(), new StepReports());
  }

  /**
   * Reads a run's feedback.
   *
   * @param steps whose reports are kept
   * @param wanted metrics that are kept
   * @param measured what values are of, by metric, for each policy: the run's domains where a
   *     metric is not there
   */
  public static RunRecording read(
      KafkaAccess access,
      StandingRounds run,
      Set<Long> steps,
      Set<String> wanted,
      Collection<Map<String, List<String>>> measured) {
    RunRecording recording = new RunRecording(run, steps, wanted, measured);
    RunFeedback.read(access, run.run(), recording::accept);
    return recording;
  }

  private void accept(TrainerFeedback feedback) {
    if (!steps.contains(feedback.getStep())) {
      return;
    }
    String metric = Metrics.requireName(feedback.getMetric());
    if (sent.size() < MOST_NAMES) {
      sent.add(metric);
    }
    if (wanted.contains(metric)) {
      reports.forEach((measured, kept) -> accept(feedback, measured, kept));
    }
  }

  private void accept(
      TrainerFeedback feedback, Map<String, List<String>> measured, StepReports kept) {
    List<String> of = measured.getOrDefault(feedback.getMetric(), run.settings().domains());
    try {
      Report report = FeedbackWire.read(feedback, of);
      if (report.unsound(of).isEmpty()) {
        kept.offer(report);
      }
    } catch (IllegalArgumentException e) {
      // It is of something else that another policy measures, or no report at all.
      return;
    }
  }

  /** Names of metrics that were sent at these steps, also of those that are not kept. */
  public SortedSet<String> sent() {
    return Collections.unmodifiableSortedSet(sent);
  }

  /** Whether a metric of these things was complete at some step. */
  public boolean has(String metric, Map<String, List<String>> measured) {
    StepReports kept = of(measured);
    return kept.steps().stream().anyMatch(step -> kept.missing(step, List.of(metric)).isEmpty());
  }

  /**
   * What a round hears of a step; empty if some metric is not complete, or the run itself closed
   * that round without feedback.
   *
   * @param measured what the values are of, by metric
   */
  public Optional<Observation> at(
      long step, List<String> metrics, Map<String, List<String>> measured) {
    if (metrics.isEmpty()) {
      return Optional.of(Observation.at(step));
    }
    StandingRounds.Decided decided = run.rounds().get(step);
    return decided != null && decided.kept()
        ? Optional.empty()
        : of(measured).winner(step, metrics).map(StepReports.Winner::observation);
  }

  /** Held-out losses of the run's domains by step, NaN where none was measured. */
  public SortedMap<Long, double[]> losses() {
    StepReports kept = of(Map.of());
    SortedMap<Long, double[]> losses = new TreeMap<>();
    for (long step : kept.steps()) {
      kept.winner(step, List.of(Metrics.EVAL_LOSS))
          .ifPresent(winner -> losses.put(step, winner.observation().means(Metrics.EVAL_LOSS)));
    }
    return losses;
  }

  private StepReports of(Map<String, List<String>> measured) {
    return reports.getOrDefault(measured, new StepReports());
  }
}
