package io.sluice.djl.measure;

import io.sluice.djl.model.Bounds;
import java.util.function.LongPredicate;

/**
 * A meter and the steps it measures at.
 *
 * @param meter what is measured
 * @param due whether it is, by step; step 0 is the initial model
 */
public record ScheduledMeter(StepMeter meter, LongPredicate due) {
  /** Measures at step 0 and every multiple of the interval; an interval of 0 leaves step 0. */
  public static ScheduledMeter fromStart(StepMeter meter, long every) {
    Bounds.requireAtLeast("every", every, 0);
    return new ScheduledMeter(meter, step -> step == 0 || isMultiple(step, every));
  }

  /** Measures at every multiple of the interval from the first on; never for an interval of 0. */
  public static ScheduledMeter afterTraining(StepMeter meter, long every) {
    Bounds.requireAtLeast("every", every, 0);
    return new ScheduledMeter(meter, step -> step > 0 && isMultiple(step, every));
  }

  public static boolean isMultiple(long step, long every) {
    return every > 0 && step % every == 0;
  }
}
