package io.sluice.mixture.policy;

import java.util.List;
import java.util.Map;

/** The policies that a run can name. */
public final class Policies {
  private static final double MAX_LOSS = 1e6;

  private Policies() {}

  /** Every name that {@link #create} takes. */
  public static List<String> names() {
    return List.of(StaticPolicy.NAME, VelocitunePolicy.NAME);
  }

  /**
   * The policy of a run.
   *
   * @param settings flat, with dotted keys: {@code targets.java -> 1.25}
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static Policy create(String name, Map<String, String> settings, List<String> domains) {
    PolicySettings read = new PolicySettings(name, settings);
    return switch (name) {
      case StaticPolicy.NAME -> {
        read.requireAllRead(List.of());
        yield new StaticPolicy();
      }
      case VelocitunePolicy.NAME -> velocitune(read, domains);
      default ->
          throw new IllegalArgumentException(
              "policy must be one of " + names() + ": '" + name + "'");
    };
  }

  private static Policy velocitune(PolicySettings read, List<String> domains) {
    boolean useTarget = read.flag("use-target", true);
    boolean fraction = read.has("target-fraction");
    var settings =
        new VelocitunePolicy.Settings(
            read.perDomain("initial", domains, 0, MAX_LOSS),
            read.perDomain("targets", domains, 0, MAX_LOSS),
            read.number("target-fraction", Double.NaN, 0, 1),
            read.number("eta", 1, 0, 1000),
            read.number("floor", 0, 0, 1),
            read.flag("clamp", true),
            useTarget);
    read.requireAllRead(
        List.of(
            "initial.<domain>",
            "targets.<domain>",
            "target-fraction",
            "eta",
            "floor",
            "clamp",
            "use-target"));
    if (useTarget && (settings.targetLosses() == null) != fraction) {
      throw new IllegalArgumentException(
          "policy.velocitune needs targets.<domain> or target-fraction, one of the two: "
              + (fraction ? "both" : "neither")
              + " given");
    }
    return new VelocitunePolicy(settings);
  }
}
