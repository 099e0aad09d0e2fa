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
import io.sluice.mixture.policy.UpdatingPolicy;
import io.sluice.mixture.policy.update.ProbeSettings;
import io.sluice.mixture.policy.update.Scores;
import io.sluice.mixture.policy.update.SteppedWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * GRAPE (Fan, Glarou, Jaggi: Optimize Data Mixture for Group Robust Multi-target Adaptive
 * Pretraining, arXiv 2505.20380): targets that improve least gain weight, and domains whose
 * gradient helps those gain weight with them.
 *
 * <p>Equations 3 and 4 as algorithm 1 takes them, with f_nk = ⟨∇l_n, g_k⟩ / l_n of target n and
 * domain k, which is the gradient of ln l_n, and the rate of improvement a_n of section 2.1:
 *
 * <pre>
 *   a_n = Σ_k w_k f_nk                    b_k = Σ_n z_n f_nk
 *   z_n ← z_n · exp(−target-eta · a_n) / Z    w_k ← w_k · exp(eta · b_k) / Z
 * </pre>
 *
 * <p>Both steps start from the z and w of the round before, as in algorithm 1; appendix B derives
 * the second with the new z. Eta is γ / µ_α and target-eta γ / µ_z, 1.5 and 10 in appendix D.1.
 *
 * <p>Known differences to the paper: the steps stay as large when the learning rate falls; the
 * gradient of a batch of the mixture is the mixture of the domains' gradients, so that nothing more
 * is measured for a_n; gradients are clipped to norm 1 unless {@code clip-gradients} is false;
 * targets are domains of the run, of which one may have no weight. What was not measured is left
 * out of the sums; a target or a domain without any neither gains nor loses. When some value is not
 * finite, the round changes nothing.
 */
final class GrapePolicy extends UpdatingPolicy {
  static final String NAME = "grape";
  private static final int VERSION = 1;
  private static final int MOST_NAMED = 16;

  private final Settings settings;
  private final Axis pairs;

  /**
   * What is aimed at, and how fast.
   *
   * @param targets domains, in an order of their own
   * @param places of the targets among the domains
   */
  record Settings(double eta, double targetEta, double floor, List<String> targets, int[] places) {}

  GrapePolicy(Settings settings) {
    this.settings = settings;
    this.pairs = Axis.targetPairs(settings.targets);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.GRADIENT_PRODUCT, Metrics.EVAL_LOSS);
  }

  @Override
  public Axis axis(String metric) {
    return metric.equals(Metrics.GRADIENT_PRODUCT) ? pairs : Axis.DOMAINS;
  }

  @Override
  public List<String> targetDomains(String metric) {
    return metric.equals(Metrics.GRADIENT_PRODUCT) ? settings.targets : List.of();
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] equal = new double[settings.targets.size()];
    Arrays.fill(equal, -Math.log(equal.length));
    return SteppedWeights.start(shares, settings.floor).encode(VERSION, equal);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater implements PolicyUpdater {
    private final SteppedWeights weights;
    private final double[] logTargets;
    private double[] pulls = {};

    Updater(StateReader state) {
      weights = SteppedWeights.read(state, settings.floor);
      logTargets = state.array();
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      pulls = new double[0];
      if (!observation.allFinite(Metrics.GRADIENT_PRODUCT)
          || !observation.allFinite(Metrics.EVAL_LOSS)) {
        return;
      }
      double[] shares = weights.shares();
      double[] helped = helped(observation, shares.length);
      double[] targets = Shares.softmax(logTargets);
      double[] improvements = new double[targets.length];
      Arrays.setAll(improvements, n -> Mean.of(helped, n * shares.length, 1, shares));
      pulls = new double[shares.length];
      Arrays.setAll(pulls, k -> Mean.of(helped, k, shares.length, targets));
      Scores.fillNeutral(improvements, targets);
      Scores.fillNeutral(pulls, shares);
      Arrays.setAll(logTargets, n -> logTargets[n] - settings.targetEta * improvements[n]);
      double sum = Shares.softmax(logTargets, targets);
      Arrays.setAll(logTargets, n -> logTargets[n] - sum);
      weights.step(settings.eta, pulls);
    }

    /** f by targets, NaN where it was not measured. */
    private double[] helped(Observation observation, int domains) {
      double[] losses = observation.means(Metrics.EVAL_LOSS);
      double[] products = observation.means(Metrics.GRADIENT_PRODUCT);
      for (int n = 0; n < logTargets.length; n++) {
        double loss = losses[settings.places[n]];
        for (int k = 0; k < domains; k++) {
          products[n * domains + k] /= loss > 0 ? loss : Double.NaN;
        }
      }
      return products;
    }

    @Override
    public double[] shares() {
      return weights.shares();
    }

    /** b, or nothing after a round that changed nothing. */
    @Override
    public double[] scores() {
      return pulls;
    }

    @Override
    public byte[] state() {
      return weights.encode(VERSION, logTargets);
    }

    @Override
    public String note() {
      double[] targets = Shares.softmax(logTargets);
      List<String> named = new ArrayList<>();
      for (int n = 0; n < Math.min(MOST_NAMED, targets.length); n++) {
        named.add(String.format(Locale.ROOT, "%s %.3f", settings.targets.get(n), targets[n]));
      }
      return "targets: " + String.join(", ", named) + (targets.length > MOST_NAMED ? ", …" : "");
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
      List<String> named = read.names("target");
      List<String> targets = named.isEmpty() ? List.copyOf(domains) : named;
      if (!new HashSet<>(domains).containsAll(targets)) {
        throw new IllegalArgumentException(
            read.path("target") + " must name domains of " + domains + ": " + targets);
      }
      return new GrapePolicy(
          new Settings(
              read.number("eta", 1.5, 0, 1e9),
              read.number("target-eta", 10, 0, 1e9),
              read.number("floor", 0, 0, 1),
              targets,
              targets.stream().mapToInt(domains::indexOf).toArray()));
    }
  }
}
