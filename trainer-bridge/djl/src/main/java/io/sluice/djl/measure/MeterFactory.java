package io.sluice.djl.measure;

import io.sluice.schema.RequiredMetric;
import java.util.Set;

/**
 * Makes the meter of some metrics. What a run's rounds need is in its specification, by name; the
 * reference trainer measures it with the meters of this jar and of every other on its class path
 * that lists a factory in {@code META-INF/services/io.sluice.djl.measure.MeterFactory}. So a policy
 * of another jar brings its metric along, and the trainer stays as it is.
 */
public interface MeterFactory {
  /** Names on the wire of what one meter measures together; no other factory has them. */
  Set<String> metrics();

  /**
   * Whether it can measure what a run needs.
   *
   * @param metric one of {@link #metrics}
   * @return whether each value is of a domain, unless it measures something else
   */
  default boolean measures(RequiredMetric metric) {
    return metric.getOf().isEmpty();
  }

  /** Whether it compares with target domains, which the trainer's settings have if no run does. */
  default boolean needsTarget() {
    return false;
  }

  /** Whether it reads probe batches of held-out blocks, which are set apart for it. */
  default boolean readsProbes() {
    return needsTarget();
  }

  /** Whether it compares with another model, which the trainer must be given. */
  default boolean needsReference() {
    return false;
  }

  /** Whether it reads a sample of what was trained on. */
  default boolean readsTrained() {
    return false;
  }

  /**
   * The meter of a run, which is used at the steps that the run needs one of its metrics at.
   *
   * @throws IllegalArgumentException if the run's data cannot be measured, with the reason
   */
  StepMeter create(MeterInput input);
}
