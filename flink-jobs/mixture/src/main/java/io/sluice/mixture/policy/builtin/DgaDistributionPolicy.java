package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.update.AlignmentUpdater;
import io.sluice.mixture.policy.update.ProbeSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Dynamic gradient alignment over basis distributions (Fan, Grangier, Ablin): a few distributions
 * over many domains are weighted instead of the domains.
 *
 * <p>Equation 9 and algorithm 2: {@link DgaPolicy}'s step on the weights alpha of N distributions,
 * each the histogram of a basis set over the domains, and weights P · alpha of the domains. The
 * alignments are those of batches that follow each distribution, so a report has N values.
 *
 * <p>Known differences to the paper: the sign, as in {@link DgaPolicy}, and the moving average,
 * which algorithm 2 does not have; it commutes with P, so beta = 1, the default here, is the
 * paper's form. A domain that is in no distribution gets no weight.
 */
final class DgaDistributionPolicy extends ReportPolicy<DgaDistributionPolicy.Settings> {
  static final String NAME = "dga-distribution";
  private static final double[] NONE = {};

  /**
   * What is weighted, and how.
   *
   * @param names of the distributions
   * @param initial weight of each
   */
  record Settings(
      List<String> names,
      BasisDistributions basis,
      double[] initial,
      double eta,
      double beta,
      List<String> target) {}

  private final Axis mixtures;

  DgaDistributionPolicy(Settings settings) {
    super(NAME, settings, Metrics.ALIGNMENT);
    List<double[]> weights = new ArrayList<>();
    for (int n = 0; n < settings.names.size(); n++) {
      double[] one = new double[settings.names.size()];
      one[n] = 1;
      weights.add(settings.basis.times(one));
    }
    mixtures = new Axis.Mixtures(settings.names, weights);
  }

  @Override
  public List<String> targetDomains(String metric) {
    return settings.target;
  }

  @Override
  public Axis axis(String metric) {
    return mixtures;
  }

  @Override
  public double[] startingShares(double[] shares) {
    return settings.basis.times(Shares.normalised(settings.initial));
  }

  @Override
  public byte[] initialState(double[] shares) {
    return AlignmentUpdater.start(settings.initial);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(state);
  }

  private final class Updater extends AlignmentUpdater {
    private final double[] shares;

    Updater(byte[] state) {
      super(NAME, state, settings.eta, settings.beta);
      shares = settings.basis.times(average());
    }

    @Override
    public void take(Observation observation) {
      super.take(observation);
      settings.basis.times(average(), shares);
    }

    @Override
    public double[] shares() {
      return shares;
    }

    @Override
    public double[] scores() {
      return NONE;
    }
  }

  /** Takes eta, beta, target, and for each basis its distribution and initial weight. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      ProbeSettings.require(read);
      Map<String, String> given = read.under("basis");
      if (given.isEmpty()) {
        throw new IllegalArgumentException(
            read.path("basis.<name>") + " must be given as 'domain=share …', at least once");
      }
      List<double[]> columns = new ArrayList<>();
      given.forEach((name, text) -> columns.add(read.shares("basis." + name, text, domains)));
      List<String> names = List.copyOf(given.keySet());
      double[] initial = read.perDomain("initial", names, 0, 1e12);
      if (initial == null) {
        initial = new double[names.size()];
        Arrays.fill(initial, 1);
      }
      return new DgaDistributionPolicy(
          new Settings(
              names,
              BasisDistributions.ofColumns(domains.size(), columns),
              read.requirePositive("initial", initial),
              read.number("eta", 1.5, 0, 1e9),
              read.number("beta", 1, 0, 1),
              read.names("target")));
    }
  }
}
