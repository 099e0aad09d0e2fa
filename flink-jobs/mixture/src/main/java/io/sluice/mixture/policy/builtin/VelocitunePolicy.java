package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.update.Scores;
import io.sluice.mixture.policy.update.SteppedWeights;
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
 * and 0 otherwise, the clamp's limit as the gap vanishes, where {@code capped} lowers such targets
 * to the initial loss, so that what the model knew before counts as soon as it is forgotten; a
 * domain without a measurement keeps its last V (initially 1), and one without a measurement at
 * step 0 takes its first one as initial loss. Without a target ({@code useTarget = false}, the
 * ablation of section 3.5) V_i = l_i / initial_i, not clamped.
 */
final class VelocitunePolicy extends ReportPolicy<VelocitunePolicy.Settings> {
  static final String NAME = "velocitune";
  private static final int VERSION = 1;
  private static final double[] NONE = {};

  /**
   * How the losses are turned into weights.
   *
   * @param initialLosses one for each domain in nats per token; null to take them from step 0
   * @param targetLosses one for each domain; null to take {@code targetFraction · initial}
   * @param capped whether a target above the initial loss counts as that
   */
  record Settings(
      double @Nullable [] initialLosses,
      double @Nullable [] targetLosses,
      double targetFraction,
      double eta,
      double floor,
      boolean clamp,
      boolean useTarget,
      boolean capped) {}

  VelocitunePolicy(Settings settings) {
    super(NAME, settings, Metrics.EVAL_LOSS);
  }

  @Override
  public boolean startsFromStepZero() {
    return settings.initialLosses == null;
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] velocities = new double[shares.length];
    Arrays.fill(velocities, 1);
    double[] initial = settings.initialLosses == null ? NONE : settings.initialLosses;
    return SteppedWeights.start(shares, settings.floor).encode(VERSION, velocities, initial);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater implements PolicyUpdater {
    private final SteppedWeights weights;
    private final double[] velocities;
    private final double[] losses;
    private double[] initial;

    /** Target losses once every domain has an initial loss above its own; until then none. */
    private double[] goals = NONE;

    Updater(StateReader reader) {
      this.weights = SteppedWeights.read(reader, settings.floor);
      this.velocities = reader.array();
      this.initial = reader.array();
      this.losses = new double[velocities.length];
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      boolean complete = observation.means(Metrics.EVAL_LOSS, losses);
      if (initial.length == 0) {
        initial = losses.clone();
        return;
      }
      if (complete && goals.length > 0) {
        approach();
      } else {
        measureEach();
      }
      weights.step(settings.eta, velocities);
    }

    /** What {@link #velocity} gives where nothing is missing, several domains at a time. */
    private void approach() {
      for (int i = 0; i < velocities.length; i++) {
        double velocity = (losses[i] - goals[i]) / (initial[i] - goals[i]);
        velocities[i] = Math.max(0, Math.min(1, velocity));
      }
    }

    private void measureEach() {
      for (int i = 0; i < losses.length; i++) {
        double loss = losses[i];
        if (!Double.isNaN(loss)) {
          double first = initial[i];
          if (Double.isNaN(first)) {
            first = loss;
            initial[i] = loss;
          }
          velocities[i] = velocity(i, loss, first);
        }
      }
      if (settings.useTarget && settings.clamp && allHaveAWayToGo()) {
        goals = new double[initial.length];
        Arrays.setAll(goals, i -> target(i, initial[i]));
      }
    }

    private boolean allHaveAWayToGo() {
      for (int i = 0; i < initial.length; i++) {
        if (!(initial[i] > target(i, initial[i]))) {
          return false;
        }
      }
      return true;
    }

    private double target(int domain, double first) {
      double[] targets = settings.targetLosses;
      double target = targets == null ? settings.targetFraction * first : targets[domain];
      return settings.capped ? Math.min(target, first) : target;
    }

    private double velocity(int domain, double loss, double first) {
      if (!settings.useTarget) {
        return loss / first;
      }
      double target = target(domain, first);
      double gap = first - target;
      if (gap <= 0) {
        return loss > target ? 1 : 0;
      }
      double velocity = (loss - target) / gap;
      return settings.clamp ? Math.max(0, Math.min(1, velocity)) : velocity;
    }

    @Override
    public double[] shares() {
      return weights.shares();
    }

    @Override
    public double[] scores() {
      return velocities;
    }

    @Override
    public byte[] state() {
      return weights.encode(VERSION, velocities, initial);
    }

    @Override
    public String note() {
      return settings.useTarget && Scores.areZero(velocities)
          ? "all domains have reached their targets: " + weights.rest()
          : "";
    }
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
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
              read.flag("use-target", true),
              read.choice("target-cap", "none", "none", "initial").equals("initial"));
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
