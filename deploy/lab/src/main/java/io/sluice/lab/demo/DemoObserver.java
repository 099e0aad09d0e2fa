package io.sluice.lab.demo;

import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainingObserver;
import io.sluice.mixture.plan.Weights;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/** Watches the trainer: keeps the losses, measures speed and lag, feeds the display. */
final class DemoObserver implements TrainingObserver {
  private final Progress progress;
  private final Display display;
  private final IntFunction<Weights> weights;
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
   * @param weights those of a mixture version
   */
  DemoObserver(
      Progress progress,
      Display display,
      List<String> domains,
      IntFunction<Weights> weights,
      LongSupplier nanoTime) {
    this.progress = progress;
    this.display = display;
    this.domains = domains;
    this.weights = weights;
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
    Weights decided = weights.apply(wanted);
    Map<String, Double> shares = new TreeMap<>();
    for (int i = 0; i < domains.size(); i++) {
      shares.put(domains.get(i), decided.share(i));
    }
    return shares;
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
