package io.sluice.djl.trainer;

import io.sluice.client.feedback.Measurement;
import java.time.Duration;
import java.util.Map;

/** Told about a training as it goes on, in the training's thread; each call delays it. */
public interface TrainingObserver {
  /** Watches nothing. */
  TrainingObserver NONE = new TrainingObserver() {};

  /**
   * A part of a step's gradients is gathered: first told with none done, then after each
   * micro-batch.
   *
   * @param step the step that goes on
   * @param done its sequences whose gradients are gathered
   * @param sequences all of its sequences
   */
  default void onPart(long step, int done, int sequences) {}

  /**
   * A batch has not come yet; the training waits on. Once a minute.
   *
   * @param waited since it was asked for
   * @param why what it waits for, as the control log tells
   */
  default void onWait(long batch, Duration waited, String why) {}

  /** One optimizer step is done and reported. */
  default void onStep(StepReport report) {}

  /**
   * Something was measured and has been sent. Of a step, held-out losses come first, then the other
   * metrics in the order of the run's specification.
   */
  default void onMeasurement(Measurement measurement) {}

  /**
   * The held-out blocks have been evaluated and the result has been sent.
   *
   * @param step batches the model has been trained on; 0 for the initial model
   * @param losses mean loss in nats per token, by domain
   */
  default void onEvaluation(long step, Map<String, Double> losses) {}
}
