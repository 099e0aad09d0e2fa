package io.sluice.lab.reproduce.claim.statistics;

import java.util.Arrays;
import java.util.Random;

/**
 * The percentile bootstrap of a mean (Efron and Tibshirani, <i>An Introduction to the
 * Bootstrap</i>, 1993, §13.3): means of samples that are drawn from the sample with replacement, of
 * which the interval holds the middle share. It takes no shape for granted, and is too short with
 * few values: of five normal values 84 of a hundred hold the true mean instead of 95. So it stands
 * beside the t interval and decides nothing.
 *
 * @param draws how many samples are drawn
 * @param seed of {@link Random}, whose sequence is the same on all machines
 */
public record Bootstrap(int draws, long seed) {
  /** The bootstrap of all reports. */
  public static final Bootstrap STANDARD = new Bootstrap(10_000, 20_241_004);

  /** Checks the number of draws. */
  public Bootstrap {
    if (draws < 1) {
      throw new IllegalArgumentException("draws must be one or more: " + draws);
    }
  }

  /**
   * The middle of the drawn means, between quantiles that are interpolated as numpy does (Hyndman
   * and Fan, type 7).
   *
   * @param level between 0 and 1, such as 0.95
   */
  public Interval interval(Sample sample, double level) {
    double[] values = sample.values();
    Random random = new Random(seed);
    double[] means = new double[draws];
    for (int draw = 0; draw < draws; draw++) {
      double sum = 0;
      for (int i = 0; i < values.length; i++) {
        sum += values[random.nextInt(values.length)];
      }
      means[draw] = sum / values.length;
    }
    Arrays.sort(means);
    return new Interval(quantile(means, (1 - level) / 2), quantile(means, (1 + level) / 2));
  }

  private static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
