package io.sluice.mixture.policy;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Velocitune (Luo et al.): domains that are far from their target loss, measured by the share of
 * the way still to go, gain weight.
 *
 * <p>Equations 3 and 4, algorithm 1, at every round:
 *
 * <pre>
 *   V_i = clamp((l_i − target_i) / (initial_i − target_i), 0, 1)
 *   w_i ← w_i · exp(eta · V_i) / Σ_j w_j · exp(eta · V_j)
 * </pre>
 *
 * <p>Known differences to the paper: eta and a uniform floor can be set (default 1 and 0, as in the
 * paper); a domain whose initial loss does not exceed its target counts as V = 1 above the target
 * and 0 otherwise, the clamp's limit as the gap vanishes; a domain without a measurement keeps its
 * last V (initially 1), and one without a measurement at step 0 takes its first one as initial
 * loss. Without a target ({@code useTarget = false}, the ablation of section 3.5) V_i = l_i /
 * initial_i, not clamped.
 */
final class VelocitunePolicy implements Policy {
  static final String NAME = "velocitune";
  private static final int VERSION = 1;

  /**
   * How the losses are turned into weights.
   *
   * @param initialLosses one for each domain in nats per token; null to take them from step 0
   * @param targetLosses one for each domain; null to take {@code targetFraction · initial}
   */
  record Settings(
      double @Nullable [] initialLosses,
      double @Nullable [] targetLosses,
      double targetFraction,
      double eta,
      double floor,
      boolean clamp,
      boolean useTarget) {}

  private final Settings settings;

  VelocitunePolicy(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.EVAL_LOSS);
  }

  @Override
  public boolean startsFromStepZero() {
    return settings.initialLosses == null;
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] velocities = new double[shares.length];
    Arrays.fill(velocities, 1);
    double[] initial = settings.initialLosses == null ? new double[0] : settings.initialLosses;
    return encode(LogWeights.ofShares(shares), velocities, initial);
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    StateReader reader = StateReader.ofVersion(NAME, VERSION, state);
    LogWeights weights = LogWeights.ofNormalised(reader.array());
    double[] velocities = reader.array();
    double[] initial = reader.array();
    double[] losses = observation.means(Metrics.EVAL_LOSS);
    if (initial.length == 0) {
      return new Decision(encode(weights, velocities, losses), weights.shares(), velocities);
    }
    for (int i = 0; i < losses.length; i++) {
      if (!Double.isNaN(losses[i])) {
        initial[i] = Double.isNaN(initial[i]) ? losses[i] : initial[i];
        velocities[i] = velocity(i, losses[i], initial[i]);
      }
    }
    LogWeights next = weights.step(settings.eta, velocities).withFloor(settings.floor);
    return new Decision(encode(next, velocities, initial), next.shares(), velocities);
  }

  private double velocity(int domain, double loss, double initial) {
    if (!settings.useTarget) {
      return loss / initial;
    }
    double target =
        settings.targetLosses == null
            ? settings.targetFraction * initial
            : settings.targetLosses[domain];
    double gap = initial - target;
    if (gap <= 0) {
      return loss > target ? 1 : 0;
    }
    double velocity = (loss - target) / gap;
    return settings.clamp ? Math.max(0, Math.min(1, velocity)) : velocity;
  }

  private byte[] encode(LogWeights weights, double[] velocities, double[] initialLosses) {
    return StateWriter.ofVersion(VERSION)
        .put(weights.logs())
        .put(velocities)
        .put(initialLosses)
        .bytes();
  }

  /** Reads {@link Settings}. */
  record Factory() implements PolicyFactory {
    private static final double MAX_LOSS = 1e6;

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      boolean fraction = read.has("target-fraction");
      var settings =
          new Settings(
              read.perDomain("initial", domains, 0, MAX_LOSS),
              read.perDomain("targets", domains, 0, MAX_LOSS),
              read.number("target-fraction", Double.NaN, 0, 1),
              read.number("eta", 1, 0, 1000),
              read.number("floor", 0, 0, 1),
              read.flag("clamp", true),
              read.flag("use-target", true));
      if (settings.useTarget && (settings.targetLosses == null) != fraction) {
        throw new IllegalArgumentException(
            read.path("targets.<domain>")
                + " or target-fraction must be given, one of the two: "
                + (fraction ? "both" : "neither")
                + " given");
      }
      return new VelocitunePolicy(settings);
    }
  }
}
