package io.sluice.djl.model;

/**
 * A learning rate that rises linearly over the first steps and then stays, so that a training that
 * is resumed with another number of steps goes on as before.
 *
 * @param peak rate after the warm-up
 * @param warmup steps of the rise; 0 for none
 */
public record LearningRate(double peak, int warmup) {
  /** Rate of the step, counted from 1. */
  public float at(long step) {
    return (float) (step >= warmup ? peak : peak * step / warmup);
  }
}
