package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import io.sluice.mixture.targets.ScalingFit;
import io.sluice.mixture.targets.ScalingLawFitter;
import java.util.Arrays;

/**
 * What adaptive data optimization remembers. Its arrays are changed in place while a round is
 * decided; nobody else sees them.
 */
final class AdoState {
  private static final int VERSION = 1;

  /** The state travels with every decision, so it keeps few points and thins them out. */
  private static final int MAX_POINTS = 32;

  final double[] prior;
  final double[] history;
  final double[] average;
  final double[] seen;
  final double[] scales;
  final double[] exponents;
  private final double[] windowSums;
  private final double[] windowCounts;
  private double[] sizes;
  private double[] losses;
  private long windowSteps;
  private long stride;

  /** At the start of a run. */
  AdoState(double[] prior, double[] scales, double[] exponents, long stride) {
    this.prior = prior.clone();
    this.history = prior.clone();
    this.average = prior.clone();
    this.seen = new double[prior.length];
    this.scales = scales.clone();
    this.exponents = exponents.clone();
    this.windowSums = new double[prior.length];
    this.windowCounts = new double[prior.length];
    this.sizes = new double[0];
    this.losses = new double[0];
    this.stride = stride;
  }

  AdoState(StateReader reader) {
    this.prior = reader.array();
    this.history = reader.array();
    this.average = reader.array();
    this.seen = reader.array();
    this.scales = reader.array();
    this.exponents = reader.array();
    this.windowSums = reader.array();
    this.windowCounts = reader.array();
    this.sizes = rows(reader.array(), prior.length, reader.number());
    this.losses = reader.floats();
    this.windowSteps = reader.number();
    this.stride = reader.number();
  }

  static AdoState decode(byte[] state) {
    return new AdoState(StateReader.ofVersion(AdoPolicy.NAME, VERSION, state));
  }

  byte[] encode() {
    return StateWriter.ofVersion(VERSION)
        .put(prior)
        .put(history)
        .put(average)
        .put(seen)
        .put(scales)
        .put(exponents)
        .put(windowSums)
        .put(windowCounts)
        .put(isShared() ? firsts() : sizes)
        .put(isShared() ? 1L : 0L)
        .putFloats(losses)
        .put(windowSteps)
        .put(stride)
        .bytes();
  }

  /** Whether every domain has the same size at each point, so that one number will do. */
  private boolean isShared() {
    int k = prior.length;
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] != sizes[i - i % k]) {
        return false;
      }
    }
    return true;
  }

  private double[] firsts() {
    double[] firsts = new double[sizes.length / prior.length];
    Arrays.setAll(firsts, point -> sizes[point * prior.length]);
    return firsts;
  }

  private static double[] rows(double[] read, int domains, long shared) {
    if (shared == 0) {
      return read;
    }
    double[] rows = new double[read.length * domains];
    Arrays.setAll(rows, i -> read[i / domains]);
    return rows;
  }

  boolean hasLaw(int domain) {
    return scales[domain] > 0;
  }

  /** Adds a step's losses; every {@code stride} steps their means become a point of the fits. */
  void collect(double[] means, long[] counts) {
    for (int i = 0; i < means.length; i++) {
      if (!Double.isNaN(means[i])) {
        windowSums[i] += means[i] * counts[i];
        windowCounts[i] += counts[i];
      }
    }
    windowSteps++;
    if (windowSteps >= stride) {
      addPoint();
    }
  }

  private void addPoint() {
    int k = prior.length;
    int points = losses.length / k;
    sizes = Arrays.copyOf(sizes, (points + 1) * k);
    losses = Arrays.copyOf(losses, (points + 1) * k);
    for (int i = 0; i < k; i++) {
      sizes[points * k + i] = seen[i];
      // As precise as it is kept, so that a restored state is the same.
      losses[points * k + i] = (float) (windowSums[i] / windowCounts[i]);
    }
    Arrays.fill(windowSums, 0);
    Arrays.fill(windowCounts, 0);
    windowSteps = 0;
    if (points + 1 == MAX_POINTS) {
      sizes = everyOther(sizes, k);
      losses = everyOther(losses, k);
      stride *= 2;
    }
  }

  private static double[] everyOther(double[] rows, int k) {
    double[] kept = new double[rows.length / 2];
    for (int row = 0; row < rows.length / k / 2; row++) {
      System.arraycopy(rows, (2 * row + 1) * k, kept, row * k, k);
    }
    return kept;
  }

  /** Fits every domain's law anew; one that cannot be believed leaves the one before. */
  void refit() {
    int k = prior.length;
    for (int domain = 0; domain < k; domain++) {
      int points = 0;
      double[] x = new double[losses.length / k];
      double[] y = new double[losses.length / k];
      for (int row = 0; row < x.length; row++) {
        if (losses[row * k + domain] > 0 && sizes[row * k + domain] > 0) {
          x[points] = sizes[row * k + domain];
          y[points] = losses[row * k + domain];
          points++;
        }
      }
      if (points >= ScalingLawFitter.MIN_POINTS) {
        take(domain, ScalingLawFitter.fit(Arrays.copyOf(x, points), Arrays.copyOf(y, points)));
      }
    }
  }

  private void take(int domain, ScalingFit fit) {
    double scale = fit.law().scale();
    double exponent = fit.law().exponent();
    if (scale > 0 && Double.isFinite(scale) && exponent > 0 && Double.isFinite(exponent)) {
      scales[domain] = scale;
      exponents[domain] = exponent;
    }
  }
}
