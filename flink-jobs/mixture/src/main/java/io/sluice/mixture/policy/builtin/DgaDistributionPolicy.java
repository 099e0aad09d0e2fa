package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.UpdatingPolicy;
import io.sluice.mixture.policy.update.AlignmentUpdater;
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
final class DgaDistributionPolicy extends UpdatingPolicy {
  static final String NAME = "dga-distribution";
  private static final double[] NONE = {};

  private final List<String> names;
  private final BasisDistributions basis;
  private final double[] initial;
  private final double eta;
  private final double beta;
  private final List<String> target;

  DgaDistributionPolicy(
      List<String> names,
      BasisDistributions basis,
      double[] initial,
      double eta,
      double beta,
      List<String> target) {
    this.names = names;
    this.basis = basis;
    this.initial = initial;
    this.eta = eta;
    this.beta = beta;
    this.target = target;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.ALIGNMENT);
  }

  @Override
  public List<String> targetDomains(String metric) {
    return target;
  }

  @Override
  public List<String> measured(List<String> domains) {
    return names;
  }

  @Override
  public double[] mixtureMeasured(int index, int domains) {
    double[] one = new double[basis.size()];
    one[index] = 1;
    return basis.times(one);
  }

  @Override
  public double[] startingShares(double[] shares) {
    return basis.times(Shares.normalised(initial));
  }

  @Override
  public byte[] initialState(double[] shares) {
    return AlignmentUpdater.start(initial);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(new AlignmentUpdater(NAME, state, eta, beta), basis);
  }

  private static final class Updater implements PolicyUpdater {
    private final AlignmentUpdater weights;
    private final BasisDistributions basis;
    private final double[] shares;

    Updater(AlignmentUpdater weights, BasisDistributions basis) {
      this.weights = weights;
      this.basis = basis;
      this.shares = basis.times(weights.average());
    }

    @Override
    public void take(Observation observation) {
      weights.take(observation);
      basis.times(weights.average(), shares);
    }

    @Override
    public double[] shares() {
      return shares;
    }

    @Override
    public double[] scores() {
      return NONE;
    }

    @Override
    public byte[] state() {
      return weights.state();
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
          names,
          BasisDistributions.ofColumns(domains.size(), columns),
          read.requirePositive("initial", initial),
          read.number("eta", 1.5, 0, 1e9),
          read.number("beta", 1, 0, 1),
          read.names("target"));
    }
  }
}
