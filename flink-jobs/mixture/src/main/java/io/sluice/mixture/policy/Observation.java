package io.sluice.mixture.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the trainers measured at one step, merged over their ranks. Immutable.
 *
 * <p>A policy is asked only when every metric that it needs is there, but any of its domains may be
 * missing from it: then its count is 0.
 */
public final class Observation {
  private final long step;
  private final Map<String, Measure> measures;

  private record Measure(double[] sums, long[] counts) {}

  private Observation(long step, Map<String, Measure> measures) {
    this.step = step;
    this.measures = measures;
  }

  /** Nothing measured yet at {@code step}, in batches that the model has been trained on. */
  public static Observation at(long step) {
    return new Observation(step, Map.of());
  }

  /**
   * This observation and one more metric.
   *
   * @param sums one for each domain
   * @param counts one for each domain, at least 0
   */
  public Observation with(String metric, double[] sums, long[] counts) {
    if (sums.length != counts.length) {
      throw new IllegalArgumentException(
          metric + " must have as many counts as sums: " + counts.length + ", " + sums.length);
    }
    Map<String, Measure> more = new HashMap<>(measures);
    more.put(metric, new Measure(sums.clone(), counts.clone()));
    return new Observation(step, more);
  }

  /** This observation and a metric given by its values: NaN where nothing was measured. */
  public Observation with(String metric, double... values) {
    double[] sums = new double[values.length];
    long[] counts = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        sums[i] = values[i];
        counts[i] = 1;
      }
    }
    return with(metric, sums, counts);
  }

  /**
   * Some of what was measured.
   *
   * @param places of the kept values, for each metric that is kept
   */
  public Observation of(Map<String, int[]> places) {
    Map<String, Measure> kept = new HashMap<>();
    places.forEach(
        (metric, values) -> {
          Measure measure = measure(metric);
          double[] sums = new double[values.length];
          long[] counts = new long[values.length];
          for (int i = 0; i < values.length; i++) {
            sums[i] = measure.sums[values[i]];
            counts[i] = measure.counts[values[i]];
          }
          kept.put(metric, new Measure(sums, counts));
        });
    return new Observation(step, kept);
  }

  /** Batches that the model had been trained on. */
  public long step() {
    return step;
  }

  /** The metrics that were measured. */
  public Set<String> metrics() {
    return Set.copyOf(measures.keySet());
  }

  /**
   * Mean of each domain; NaN where nothing was measured or where the mean is not finite, so that no
   * policy computes with an invalid number.
   */
  public double[] means(String metric) {
    double[] means = new double[measure(metric).sums.length];
    means(metric, means);
    return means;
  }

  /**
   * Likewise, into an array.
   *
   * @return whether every domain has one
   */
  public boolean means(String metric, double[] into) {
    Measure measure = measure(metric);
    double[] sums = measure.sums;
    long[] counts = measure.counts;
    // Apart, the divisions can be done several at a time.
    for (int i = 0; i < into.length; i++) {
      into[i] = sums[i] / counts[i];
    }
    boolean complete = true;
    for (int i = 0; i < into.length; i++) {
      if (!Double.isFinite(into[i])) {
        into[i] = Double.NaN;
        complete = false;
      }
    }
    return complete;
  }

  /** How many things each domain's sum is of; 0 where nothing was measured. */
  public long[] counts(String metric) {
    return measure(metric).counts.clone();
  }

  /** Whether every domain that was measured has a finite mean. */
  public boolean allFinite(String metric) {
    Measure measure = measure(metric);
    for (int i = 0; i < measure.sums.length; i++) {
      if (!Double.isFinite(measure.sums[i]) && measure.counts[i] > 0) {
        return false;
      }
    }
    return true;
  }

  private Measure measure(String metric) {
    Measure measure = measures.get(metric);
    if (measure == null) {
      throw new IllegalArgumentException(
          "metric must be one of " + measures.keySet() + ": '" + metric + "'");
    }
    return measure;
  }
}
