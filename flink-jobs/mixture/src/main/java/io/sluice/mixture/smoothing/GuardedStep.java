package io.sluice.mixture.smoothing;

import io.sluice.mixture.plan.LargestRemainder;
import io.sluice.mixture.plan.Weights;
import java.util.Arrays;
import java.util.List;

/** One step of {@link Guards} from the current weights, over the domains that are not frozen. */
final class GuardedStep {
  /** Weights are whole multiples of it. */
  private static final double RESOLUTION = 1.0 / Weights.UNIT;

  private final Guards guards;
  private final Weights current;
  private final int[] free;
  private final double[] low;
  private final double[] high;
  private final long freeUnits;

  GuardedStep(Guards guards, List<String> domains, Weights current) {
    this.guards = guards;
    this.current = current;
    this.free =
        java.util.stream.IntStream.range(0, domains.size())
            .filter(i -> !guards.frozen().contains(domains.get(i)))
            .toArray();
    this.low =
        Arrays.stream(free)
            .mapToDouble(i -> guards.least().getOrDefault(domains.get(i), 0.0))
            .toArray();
    this.high =
        Arrays.stream(free)
            .mapToDouble(i -> guards.most().getOrDefault(domains.get(i), 1.0))
            .toArray();
    this.freeUnits = Arrays.stream(free).mapToLong(current::part).sum();
  }

  /**
   * The weights to take.
   *
   * @param decided after averaging, in any scale
   */
  Weights take(double[] decided) {
    if (freeUnits == 0) {
      return current;
    }
    double[] target = withFloor(shared(decided));
    double[] within = guards.limited() ? limited(target) : target;
    return still(within) ? current : rounded(within);
  }

  /** What is not frozen, in the proportions that were decided. */
  private double[] shared(double[] decided) {
    double sum = Arrays.stream(free).mapToDouble(i -> decided[i]).sum();
    double[] shares = new double[free.length];
    for (int n = 0; n < shares.length; n++) {
      double of = sum > 0 ? decided[free[n]] / sum : currentShare(n) / mass();
      shares[n] = of * mass();
    }
    return shares;
  }

  private double[] withFloor(double[] shares) {
    double floor = guards.floor();
    for (int n = 0; floor > 0 && n < shares.length; n++) {
      shares[n] = (1 - floor) * shares[n] + floor * mass() / shares.length;
    }
    return shares;
  }

  private double[] limited(double[] target) {
    double[] now = Arrays.stream(free).mapToDouble(current::share).toArray();
    double[] from = new double[free.length];
    double[] to = new double[free.length];
    for (int n = 0; n < free.length; n++) {
      from[n] = clamp(currentShare(n) - guards.largestChange(), low[n], high[n]);
      to[n] = clamp(currentShare(n) + guards.largestChange(), low[n], high[n]);
    }
    boolean reachable = Arrays.stream(from).sum() <= mass() && Arrays.stream(to).sum() >= mass();
    return reachable
        ? CappedSimplex.project(target, now, from, to, mass())
        : CappedSimplex.project(target, now, low, high, mass());
  }

  private boolean still(double[] next) {
    boolean still = true;
    for (int n = 0; n < free.length; n++) {
      double now = currentShare(n);
      boolean inside = now >= low[n] - RESOLUTION && now <= high[n] + RESOLUTION;
      still &= inside && Math.abs(next[n] - now) < guards.deadBand();
    }
    return still;
  }

  private Weights rounded(double[] next) {
    double sum = Arrays.stream(next).sum();
    double[] exact = new double[free.length];
    for (int n = 0; n < exact.length; n++) {
      exact[n] = next[n] / sum * freeUnits;
    }
    long[] units = LargestRemainder.apportion(exact, freeUnits);
    long[] parts = current.parts();
    for (int n = 0; n < free.length; n++) {
      parts[free[n]] = units[n];
    }
    return Weights.of(parts);
  }

  private double currentShare(int n) {
    return current.share(free[n]);
  }

  private double mass() {
    return (double) freeUnits / Weights.UNIT;
  }

  private static double clamp(double value, double low, double high) {
    return Math.max(low, Math.min(high, value));
  }
}
