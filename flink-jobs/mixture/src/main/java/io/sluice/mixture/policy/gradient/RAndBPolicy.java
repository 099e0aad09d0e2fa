package io.sluice.mixture.policy.gradient;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import io.sluice.mixture.policy.UpdatingPolicy;
import io.sluice.mixture.policy.update.ProbeSettings;
import io.sluice.mixture.policy.update.Scores;
import java.util.Arrays;
import java.util.List;

/**
 * The balance step of R&amp;B (Ge et al., R&amp;B: Domain Regrouping and Data Mixture Balancing for
 * Efficient Foundation Model Training, arXiv 2505.00358): domains whose gradient points where the
 * mixture of the evaluation data's gradients does get the greater weights, anew in each round.
 *
 * <p>Algorithm 1, lines 13 and 14, and section 3.4, with the Gram matrix G_ij = ⟨g_i, g_j⟩ of the
 * domains' mean gradients and the shares p of the domains in the evaluation data:
 *
 * <pre>
 *   w ← softmax(lambda · Gp / ‖Gp‖₂)
 * </pre>
 *
 * <p>With {@code beta} below 1, Gp is a moving average over rounds, which is the average of G times
 * p. The weights before it do not matter, so that a domain without weight may get some.
 *
 * <p>Known differences to the paper: its gradients are those of the last layer, summed up over the
 * batches of a round, here they are the trainers' probe gradients of all parameters after it; they
 * are clipped to norm 1 unless {@code clip-gradients} is false, which the paper does not do. A run
 * starts with its own weights, not with equal ones. The paper names lambda for one experiment only,
 * the default here. A product that was not measured is left out of the sum; a domain without any
 * keeps its last value, and before its first gets the mean by weight. When a product is not finite,
 * or Gp is 0, the weights stay. Regrouping the data is not the policy's.
 */
final class RAndBPolicy extends UpdatingPolicy {
  static final String NAME = "r-and-b";
  private static final int VERSION = 1;

  private final Settings settings;

  /**
   * How products are turned into weights.
   *
   * @param evaluation p, summing to 1
   */
  record Settings(double lambda, double beta, double[] evaluation) {}

  RAndBPolicy(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.GRADIENT_PRODUCT);
  }

  @Override
  public Axis axis(String metric) {
    return Axis.domainPairs();
  }

  @Override
  public byte[] initialState(double[] shares) {
    return StateWriter.ofVersion(VERSION).put(shares).put(Scores.unknown(shares.length)).bytes();
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater implements PolicyUpdater {
    private final double[] shares;
    private final double[] pulls;

    Updater(StateReader state) {
      shares = state.array();
      pulls = state.array();
    }

    @Override
    public void take(Observation observation) {
      if (!observation.allFinite(Metrics.GRADIENT_PRODUCT)) {
        return;
      }
      double[] products = observation.means(Metrics.GRADIENT_PRODUCT);
      for (int i = 0; i < pulls.length; i++) {
        double pull = Mean.of(products, i * pulls.length, 1, settings.evaluation);
        if (!Double.isNaN(pull)) {
          double before = Double.isNaN(pulls[i]) ? pull : pulls[i];
          pulls[i] = (1 - settings.beta) * before + settings.beta * pull;
        }
      }
      double[] filled = pulls.clone();
      Scores.fillNeutral(filled, shares);
      double norm = Math.sqrt(Arrays.stream(filled).map(pull -> pull * pull).sum());
      if (norm > 0 && Double.isFinite(norm)) {
        Arrays.setAll(filled, i -> settings.lambda * filled[i] / norm);
        Shares.softmax(filled, shares);
      }
    }

    @Override
    public double[] shares() {
      return shares;
    }

    /** Gp, 0 where nothing was measured yet. */
    @Override
    public double[] scores() {
      return Arrays.stream(pulls).map(pull -> Double.isNaN(pull) ? 0 : pull).toArray();
    }

    @Override
    public byte[] state() {
      return StateWriter.ofVersion(VERSION).put(shares).put(pulls).bytes();
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
      double[] evaluation = read.perDomain("evaluation", domains, 0, 1e12);
      if (evaluation == null) {
        evaluation = new double[domains.size()];
        Arrays.fill(evaluation, 1);
      }
      return new RAndBPolicy(
          new Settings(
              read.number("lambda", 3, 0, 1e9),
              read.number("beta", 1, Double.MIN_VALUE, 1),
              Shares.normalised(read.requirePositive("evaluation", evaluation))));
    }
  }
}
