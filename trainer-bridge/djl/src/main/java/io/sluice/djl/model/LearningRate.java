package io.sluice.djl.model;

import java.util.Locale;

/**
 * A learning rate by step: it rises linearly to its peak, and then stays or falls as its course
 * says.
 *
 * @param peak rate after the warm-up, above 0, at most 1
 * @param warmup steps of the rise; 0 for none
 * @param course what comes after the rise
 * @param end step at which a rate that falls is at its final one, which later steps keep
 * @param decay last steps before {@code end} over which a {@link Course#WSD} rate falls
 * @param last the final rate of a course that falls
 */
public record LearningRate(
    double peak, int warmup, Course course, long end, long decay, double last) {
  /** How a rate goes on after its rise. */
  public enum Course {
    /** It stays: a training that is resumed with another number of steps goes on as before. */
    CONSTANT,
    /** Warm-up, stable, decay (Hu et al., MiniCPM): it stays, then falls linearly. */
    WSD,
    /** It falls by half a cosine (Loshchilov and Hutter). */
    COSINE;

    /** The course of a name in lower case. */
    public static Course named(String name) {
      for (Course course : values()) {
        if (course.toString().equals(name)) {
          return course;
        }
      }
      throw new IllegalArgumentException("must be constant, wsd or cosine: '" + name + "'");
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks the ranges. */
  public LearningRate {
    if (!(peak > 0 && peak <= 1)) {
      throw new IllegalArgumentException("learningRate must be in (0, 1]: " + peak);
    }
    if (!(last >= 0 && last <= peak)) {
      throw new IllegalArgumentException(
          "the final learning rate must be in [0, " + peak + "], the peak: " + last);
    }
    Bounds.requireAtLeast("warmup", warmup, 0);
    Bounds.requireAtLeast("decay", decay, 0);
    if (course != Course.CONSTANT && end < (long) warmup + decay) {
      throw new IllegalArgumentException(
          "a "
              + course
              + " learning rate must have "
              + (warmup + decay)
              + " steps or more, its warm-up and its decay: "
              + end);
    }
  }

  /** A rate that stays after its rise. */
  public static LearningRate constant(double peak, int warmup) {
    return new LearningRate(peak, warmup, Course.CONSTANT, 0, 0, 0);
  }

  /** Rate of the step, counted from 1. */
  public float at(long step) {
    if (step < warmup) {
      return (float) (peak * step / warmup);
    }
    return (float)
        switch (course) {
          case CONSTANT -> peak;
          case WSD -> between(left(step, decay));
          case COSINE -> between((1 - Math.cos(Math.PI * left(step, end - warmup))) / 2);
        };
  }

  /** Steps to the end as a share of those of the fall, from 1 down to 0. */
  private double left(long step, long fall) {
    return fall == 0 ? 1 : Math.max(0, Math.min(1, (double) (end - step) / fall));
  }

  private double between(double share) {
    return last + (peak - last) * share;
  }
}
