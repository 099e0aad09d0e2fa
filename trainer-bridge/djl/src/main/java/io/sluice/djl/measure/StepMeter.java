package io.sluice.djl.measure;

import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.model.DivergedException;
import java.util.Map;

/** Measures a model in training for its domains, and leaves the training as it was. */
@FunctionalInterface
public interface StepMeter {
  /**
   * The totals by metric, under its name on the wire, and domain; a metric of no domain is not
   * sent.
   *
   * @param trainer holds the model
   * @param step batches of the stream the model has been trained on
   * @throws DivergedException if something is not finite; nothing of the step is sent then
   */
  Map<String, Map<String, Total>> measure(Trainer trainer, long step);
}
