package io.sluice.djl;

import ai.djl.training.Trainer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A trainer's side of the feedback loop: after the steps of a round it evaluates and sends the
 * losses, and after every step it sends the progress, in this order.
 *
 * <p>The run's rounds are decided from step 0 and every multiple of the interval.
 */
public final class StepFeedback implements StepListener {
  private final Trainer trainer;
  private final DomainEvaluation evaluation;
  private final FeedbackChannel channel;
  private final long every;
  private final Supplier<String> nonces;
  private final LongSupplier oldestCheckpoint;
  private final TrainingObserver observer;

  /**
   * Feedback of one trainer.
   *
   * @param trainer holds the model
   * @param every steps between evaluations, the run's {@code updateEvery}; 0 evaluates step 0 only
   * @param nonces a new attempt's name each time
   * @param oldestCheckpoint batch of the oldest checkpoint kept; −1 for none
   */
  public StepFeedback(
      Trainer trainer,
      DomainEvaluation evaluation,
      FeedbackChannel channel,
      long every,
      Supplier<String> nonces,
      LongSupplier oldestCheckpoint,
      TrainingObserver observer) {
    if (every < 0) {
      throw new IllegalArgumentException("every must be at least 0: " + every);
    }
    this.trainer = trainer;
    this.evaluation = evaluation;
    this.channel = channel;
    this.every = every;
    this.nonces = nonces;
    this.oldestCheckpoint = oldestCheckpoint;
    this.observer = observer;
  }

  /**
   * Evaluates if the step is due, then reports the progress.
   *
   * @throws DivergedException if a loss is not finite; nothing is sent then
   */
  @Override
  public void afterStep(long step) {
    if (isDue(step)) {
      Map<String, TokenSum> losses = evaluation.evaluate(trainer);
      channel.evalLoss(step, nonces.get(), losses);
      observer.onEvaluation(step, means(losses));
    }
    progress(step);
  }

  /** Reports the progress alone: what a resumed trainer does for the step it resumes at. */
  void progress(long step) {
    channel.progress(step, oldestCheckpoint.getAsLong());
  }

  private boolean isDue(long step) {
    return step == 0 || (every > 0 && step % every == 0);
  }

  private static Map<String, Double> means(Map<String, TokenSum> losses) {
    Map<String, Double> means = new LinkedHashMap<>();
    losses.forEach((domain, sum) -> means.put(domain, sum.mean()));
    return means;
  }
}
