package io.sluice.djl.data;

/** Told when the model has been trained on a batch, before the next batch is asked for. */
@FunctionalInterface
public interface StepListener {
  /**
   * One optimizer step is done.
   *
   * @param step its batch's number: batches of the stream the model has now been trained on
   */
  void afterStep(long step);
}
