package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.update.AlignmentUpdater;
import io.sluice.mixture.policy.update.ProbeSettings;
import java.util.List;

/**
 * Dynamic gradient alignment (Fan, Grangier, Ablin): domains whose gradient points where the target
 * set's does gain weight.
 *
 * <p>Equation 6 and algorithm 1, with a_i = ⟨∇l(x_i), ∇l(y)⟩ for a batch x_i of each domain and y
 * of the target set:
 *
 * <pre>
 *   alpha_i ← alpha_i · exp(+eta · a_i) / Z
 *   w ← (1 − beta) · w + beta · alpha
 * </pre>
 *
 * <p>Known differences to the paper: line 8 of its algorithm 1 prints exp(−eta · a), which would
 * minimise the alignment; its equations 6 to 8 and its text say +. Eta is not in the paper: the
 * default 1.5 goes with gradients clipped to norm 1, which trainers have to do. The first alignment
 * is that of step {@code every}, not of the first batch. When some alignment is not finite, the
 * whole update is skipped, because a partial one would bias Z; a domain that was not measured gets
 * the mean alignment by weight, so that it neither gains nor loses. A uniform floor can be set on
 * w; alpha never has one. Beta = 1 is the form without an average.
 */
final class DgaPolicy extends ReportPolicy<DgaPolicy.Settings> {
  static final String NAME = "dga";

  record Settings(double eta, double beta, double floor, List<String> target) {}

  DgaPolicy(Settings settings) {
    super(NAME, settings, Metrics.ALIGNMENT);
  }

  @Override
  public List<String> targetDomains(String metric) {
    return settings.target;
  }

  @Override
  public byte[] initialState(double[] shares) {
    return AlignmentUpdater.start(shares);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(state);
  }

  private final class Updater extends AlignmentUpdater {
    private final double[] sampled;

    Updater(byte[] state) {
      super(NAME, state, settings.eta, settings.beta);
      sampled = settings.floor == 0 ? average() : new double[average().length];
    }

    @Override
    public double[] shares() {
      double floor = settings.floor;
      for (int i = 0; floor > 0 && i < sampled.length; i++) {
        sampled[i] = (1 - floor) * average()[i] + floor / sampled.length;
      }
      return sampled;
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
      ProbeSettings.require(read);
      return new DgaPolicy(
          new Settings(
              read.number("eta", 1.5, 0, 1e9),
              read.number("beta", 0.1, 0, 1),
              read.number("floor", 0, 0, 1),
              read.names("target")));
    }
  }
}
