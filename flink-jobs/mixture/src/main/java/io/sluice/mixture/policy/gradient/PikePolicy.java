package io.sluice.mixture.policy.gradient;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.UpdatingPolicy;
import io.sluice.mixture.policy.update.ProbeSettings;
import io.sluice.mixture.policy.update.Scores;
import io.sluice.mixture.policy.update.SteppedWeights;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PiKE (Li, Deng, Zhong, Razaviyayn, Mirrokni: Adaptive Data Mixing for Large-Scale Multi-Task
 * Learning Under Low Gradient Conflicts, arXiv 2502.06244): domains with a large gradient gain
 * weight, domains whose gradient is mostly noise lose some.
 *
 * <p>Algorithm 1, lines 5 to 7, with ‖∇L_k‖² of a domain's mean gradient, the variance σ_k² of one
 * sequence's about it, and b sequences in a batch:
 *
 * <pre>
 *   w_k ← w_k · exp(zeta-1 · ‖∇L_k‖² − zeta-2 / (2 b) · σ_k²) / Z
 * </pre>
 *
 * <p>Known differences to the paper: it tunes zeta-1 and zeta-2 and its algorithm gives neither, so
 * the defaults are this page's own; the square is estimated without the part that the variance adds
 * to it, and one that comes out below 0 counts as 0, as a variance does; b is the run's batch size
 * at the step. Balanced-PiKE is left out. A domain without a square or a variance neither gains nor
 * loses. When some value is not finite, the round changes nothing. A uniform floor can be set.
 */
final class PikePolicy extends UpdatingPolicy {
  static final String NAME = "pike";
  private static final int VERSION = 1;
  private static final double[] NONE = {};

  private static final Axis MOMENTS =
      new Axis.Pairs(new Axis.Named("moments", List.of("square", "variance")));

  private final Settings settings;
  private final @Nullable Cadence cadence;

  record Settings(double ofSquare, double ofVariance, double floor) {}

  PikePolicy(Settings settings, @Nullable Cadence cadence) {
    this.settings = settings;
    this.cadence = cadence;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.GRADIENT_MOMENT);
  }

  @Override
  public Axis axis(String metric) {
    return MOMENTS;
  }

  @Override
  public Policy inRun(Cadence run) {
    return new PikePolicy(settings, run);
  }

  @Override
  public byte[] initialState(double[] shares) {
    return SteppedWeights.start(shares, settings.floor).encode(VERSION);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  /** Sequences of the batch after a step. */
  private double batch(long step) {
    return Cadence.require(cadence, NAME).batchSizes().floorEntry(step + 1).getValue();
  }

  private final class Updater implements PolicyUpdater {
    private final SteppedWeights weights;
    private double[] scores = NONE;

    Updater(StateReader state) {
      weights = SteppedWeights.read(state, settings.floor);
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      scores = NONE;
      if (!observation.allFinite(Metrics.GRADIENT_MOMENT)) {
        return;
      }
      double[] moments = observation.means(Metrics.GRADIENT_MOMENT);
      int domains = moments.length / 2;
      double ofVariance = settings.ofVariance / (2 * batch(observation.step()));
      scores = new double[domains];
      for (int k = 0; k < domains; k++) {
        // Math.max keeps NaN.
        double square = Math.max(0, moments[k]);
        double variance = Math.max(0, moments[domains + k]);
        scores[k] = settings.ofSquare * square - ofVariance * variance;
      }
      Scores.fillNeutral(scores, weights.shares());
      weights.step(1, scores);
    }

    @Override
    public double[] shares() {
      return weights.shares();
    }

    @Override
    public double[] scores() {
      return scores;
    }

    @Override
    public byte[] state() {
      return weights.encode(VERSION);
    }
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      ProbeSettings.requireProbes(read);
      return new PikePolicy(
          new Settings(
              read.number("zeta-1", 0.1, 0, 1e9),
              read.number("zeta-2", 0.1, 0, 1e9),
              read.number("floor", 0, 0, 1)),
          null);
    }
  }
}
