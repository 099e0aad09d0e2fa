package io.sluice.djl.trainer;

import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.StepListener;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.model.DivergedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A trainer's side of the feedback loop: after the steps of a round it measures and sends what it
 * measured, and after every step it sends the progress, in this order.
 */
public final class StepFeedback implements StepListener {
  private final Trainer trainer;
  private final LongFunction<List<ScheduledMeter>> meters;
  private final FeedbackChannel channel;
  private final Supplier<String> nonces;
  private final LongSupplier oldestCheckpoint;
  private final TrainingObserver observer;

  /**
   * Feedback of one trainer.
   *
   * @param trainer holds the model
   * @param meters by step; no two of one step measure the same metric
   * @param nonces a new attempt's name each time; the metrics of a step share one
   * @param oldestCheckpoint batch of the oldest checkpoint kept; −1 for none
   */
  public StepFeedback(
      Trainer trainer,
      LongFunction<List<ScheduledMeter>> meters,
      FeedbackChannel channel,
      Supplier<String> nonces,
      LongSupplier oldestCheckpoint,
      TrainingObserver observer) {
    this.trainer = trainer;
    this.meters = meters;
    this.channel = channel;
    this.nonces = nonces;
    this.oldestCheckpoint = oldestCheckpoint;
    this.observer = observer;
  }

  /** Feedback of one trainer that keeps no checkpoints, with the same meters all along. */
  public StepFeedback(Trainer trainer, List<ScheduledMeter> meters, FeedbackChannel channel) {
    this(
        trainer,
        step -> meters,
        channel,
        () -> UUID.randomUUID().toString(),
        () -> -1,
        TrainingObserver.NONE);
  }

  /**
   * Measures what is due at the step, then reports the progress.
   *
   * @throws DivergedException if something is not finite; nothing of the step is sent then
   */
  @Override
  public void afterStep(long step) {
    Map<String, Map<String, Total>> measured = new LinkedHashMap<>();
    for (ScheduledMeter each : meters.apply(step)) {
      if (each.due().test(step)) {
        measured.putAll(each.meter().measure(trainer, step));
      }
    }
    measured.values().removeIf(Map::isEmpty);
    send(step, measured);
    progress(step);
  }

  private void send(long step, Map<String, Map<String, Total>> measured) {
    if (measured.isEmpty()) {
      return;
    }
    String attempt = nonces.get();
    List<Measurement> measurements = new ArrayList<>();
    measured.forEach(
        (metric, totals) -> measurements.add(new Measurement(step, step, attempt, metric, totals)));
    measurements.forEach(channel::measured);
    measurements.forEach(observer::onMeasurement);
    Map<String, Total> losses = measured.get(Measurement.EVAL_LOSS);
    if (losses != null) {
      observer.onEvaluation(step, means(losses));
    }
  }

  /** Reports the progress alone: what a resumed trainer does for the step it resumes at. */
  void progress(long step) {
    channel.progress(step, oldestCheckpoint.getAsLong());
  }

  private static Map<String, Double> means(Map<String, Total> losses) {
    Map<String, Double> means = new LinkedHashMap<>();
    losses.forEach((domain, total) -> means.put(domain, total.sum() / total.count()));
    return means;
  }
}
