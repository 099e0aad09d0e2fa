package io.sluice.lab.demo;

import io.sluice.control.history.RunHistory;
import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainingObserver;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Watches the trainer: keeps the losses, measures speed and lag, feeds the display. */
final class DemoObserver implements TrainingObserver {
  private final Progress progress;
  private final Display display;
  private final Supplier<RunHistory> history;
  private final LongSupplier nanoTime;
  private final List<String> domains;
  private final SortedMap<Long, Map<String, Double>> losses = new TreeMap<>();
  private final long start;
  private long end;
  private long tokens;
  private int version;
  private long feedbackSent = -1;

  /**
   * An observer of a run.
   *
   * @param history reads the run's control log as it is now
   */
  DemoObserver(
      Progress progress,
      Display display,
      List<String> domains,
      Supplier<RunHistory> history,
      LongSupplier nanoTime) {
    this.progress = progress;
    this.display = display;
    this.domains = domains;
    this.history = history;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  @Override
  public void onStep(StepReport report) {
    end = nanoTime.getAsLong();
    tokens += report.tokens();
    boolean changed = report.weightsVersion() != version;
    if (changed) {
      if (feedbackSent >= 0) {
        progress.lag((end - report.stepNanos() - feedbackSent) / 1e6);
      }
      version = report.weightsVersion();
      progress.weights(weightsOf(version));
    }
    progress.step(
        report.step(), version, report.loss(), report.sequences(), report.waitNanos() / 1e6);
    progress.speed(tokens / ((end - start) / 1e9));
    display.show(progress, changed || report.step() % 10 == 0);
  }

  @Override
  public void onEvaluation(long step, Map<String, Double> measured) {
    end = nanoTime.getAsLong();
    feedbackSent = end;
    losses.put(step, Map.copyOf(measured));
    progress.losses(measured);
  }

  private Map<String, Double> weightsOf(int wanted) {
    Map<String, Double> weights = new TreeMap<>();
    for (RunHistory.Version each : history.get().versions()) {
      if (each.version() == wanted) {
        for (int i = 0; i < domains.size(); i++) {
          weights.put(domains.get(i), each.weights().share(i));
        }
      }
    }
    return weights;
  }

  /** Held-out losses by step and domain. */
  SortedMap<Long, Map<String, Double>> losses() {
    return Collections.unmodifiableSortedMap(losses);
  }

  /** Trained tokens. */
  long tokens() {
    return tokens;
  }

  /** Seconds from the observer's beginning to the last thing it saw. */
  double seconds() {
    return (end - start) / 1e9;
  }
}
