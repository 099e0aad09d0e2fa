package io.sluice.mixture.smoothing;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.PolicySettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What comes between any policy's decision and the weights that a run takes, in this order:
 *
 * <ol>
 *   <li>warm-up: until then the weights stay; the policy itself goes on;
 *   <li>moving average: {@code (1 − β) · current + β · decided};
 *   <li>frozen domains keep their weight, the others share what is left;
 *   <li>floor: {@code (1 − c) · w + c / n} of that, over the n domains that are not frozen;
 *   <li>limits: the exact projection onto the weights within {@code min} and {@code max} of each
 *       domain and within the largest change from the current ones; where these contradict each
 *       other, the largest change gives way;
 *   <li>dead-band: if no weight would change by more than it, none does, unless one is outside its
 *       limits now.
 * </ol>
 *
 * <p>Policies keep their own state from what they decided, not from what became of it here.
 *
 * @param newWeight β, in (0, 1]; 1 means no average
 * @param floor c, in [0, 1]
 * @param least lowest weight by domain; 0 for those not named
 * @param most highest weight by domain; 1 for those not named
 * @param largestChange of a weight in one round, in (0, 1]
 * @param deadBand in [0, 1]
 * @param frozen domains that keep their initial weight
 * @param warmUp last batch at which a round changes nothing
 */
public record Guards(
    double newWeight,
    double floor,
    Map<String, Double> least,
    Map<String, Double> most,
    double largestChange,
    double deadBand,
    Set<String> frozen,
    long warmUp) {
  /** Takes every decision as it is. */
  public static final Guards NONE = average(1);

  /** Checks every range; messages name the key of the run's file. */
  public Guards {
    least = Map.copyOf(least);
    most = Map.copyOf(most);
    frozen = Set.copyOf(frozen);
    require(newWeight > 0 && newWeight <= 1, "new-weight", "be in (0, 1]", newWeight);
    require(floor >= 0 && floor <= 1, "floor", "be in [0, 1]", floor);
    require(
        largestChange > 0 && largestChange <= 1, "largest-change", "be in (0, 1]", largestChange);
    require(deadBand >= 0 && deadBand <= 1, "dead-band", "be in [0, 1]", deadBand);
    require(warmUp >= 0, "warm-up", "be at least 0", warmUp);
    least.forEach((d, v) -> require(v >= 0 && v <= 1, "min." + d, "be in [0, 1]", v));
    most.forEach((d, v) -> require(v >= 0 && v <= 1, "max." + d, "be in [0, 1]", v));
  }

  /** Nothing but a moving average. */
  public static Guards average(double newWeight) {
    return new Guards(newWeight, 0, Map.of(), Map.of(), 1, 0, Set.of(), 0);
  }

  /**
   * From flat settings: {@code new-weight}, {@code floor}, {@code min.<domain>}, {@code
   * max.<domain>}, {@code largest-change}, {@code dead-band}, {@code frozen} (names with spaces
   * between), {@code warm-up}.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static Guards of(Map<String, String> settings, List<String> domains) {
    PolicySettings read = new PolicySettings("smoothing", settings);
    Guards guards = read(read, domains);
    read.requireAllRead();
    return guards;
  }

  /** The same from settings that say afterwards what was asked for. */
  public static Guards read(PolicySettings read, List<String> domains) {
    return new Guards(
        read.number("new-weight", 1, Double.MIN_VALUE, 1),
        read.number("floor", 0, 0, 1),
        limits(read, "min", domains),
        limits(read, "max", domains),
        read.number("largest-change", 1, Double.MIN_VALUE, 1),
        read.number("dead-band", 0, 0, 1),
        new TreeSet<>(
            Arrays.stream(read.text("frozen", "").split("\\s+"))
                .filter(name -> !name.isEmpty())
                .toList()),
        read.whole("warm-up", 0, 0, 1L << 52));
  }

  private static Map<String, Double> limits(PolicySettings read, String key, List<String> domains) {
    double[] values = read.perDomainOr(key, domains, Double.NaN, 0, 1);
    Map<String, Double> limits = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        limits.put(domains.get(i), values[i]);
      }
    }
    return limits;
  }

  /**
   * Refuses guards that no weights can satisfy in a run.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public void check(List<String> domains, Weights initial) {
    new GuardRoom(this, domains, initial).require();
  }

  /**
   * The weights that a run takes.
   *
   * @param current weights of the run
   * @param decided by the policy; not negative, in any scale
   * @param step of the round
   */
  public Weights apply(List<String> domains, Weights current, double[] decided, long step) {
    if (decided.length != domains.size()) {
      throw new IllegalArgumentException(
          "a decision must have " + domains.size() + " weights: " + decided.length);
    }
    if (step <= warmUp || frozen.size() == domains.size()) {
      return current;
    }
    double[] averaged = averaged(current, decided);
    if (frozen.isEmpty() && floor == 0 && !limited() && deadBand == 0) {
      return Weights.ofShares(averaged);
    }
    return new GuardedStep(this, domains, current).take(averaged);
  }

  boolean limited() {
    return !least.isEmpty() || !most.isEmpty() || largestChange < 1;
  }

  private double[] averaged(Weights current, double[] decided) {
    if (newWeight == 1) {
      return decided;
    }
    double sum = Arrays.stream(decided).sum();
    double[] averaged = new double[decided.length];
    for (int i = 0; i < averaged.length; i++) {
      averaged[i] = (1 - newWeight) * current.share(i) + newWeight * decided[i] / sum;
    }
    return averaged;
  }

  static void require(boolean holds, String key, String rule, Object actual) {
    if (!holds) {
      throw new IllegalArgumentException("smoothing." + key + " must " + rule + ": " + actual);
    }
  }
}
