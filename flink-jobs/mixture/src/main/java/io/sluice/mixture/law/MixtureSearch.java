package io.sluice.mixture.law;

import java.util.Comparator;
import java.util.List;

/**
 * Looks for the mixture that laws say ends best. As in RegMix (Liu et al. 2024, section 3.3) it is
 * the mean of the best of many that are drawn as the runs' were: a law says nothing of what lies
 * outside of them.
 *
 * @param laws one for each loss
 * @param aims what each loss counts, not negative
 */
public record MixtureSearch(List<MixingLaw> laws, double[] aims) {
  private static final int DRAWN = 100_000;
  private static final int BEST = 100;

  /** Checks that each loss counts something, or nothing. */
  public MixtureSearch {
    laws = List.copyOf(laws);
    aims = aims.clone();
    if (laws.size() != aims.length) {
      throw new IllegalArgumentException(
          "there must be an aim for each of " + laws.size() + " laws: " + aims.length);
    }
  }

  /**
   * The search by laws that are fitted to what runs of some mixtures came to.
   *
   * @param losses of each law one for each mixture
   * @throws IllegalArgumentException as {@link MixingLaws#fit} has it
   */
  public static MixtureSearch fitted(
      MixingLaw.Form form, List<double[]> mixtures, List<double[]> losses, double[] aims) {
    return new MixtureSearch(
        losses.stream().map(each -> MixingLaws.fit(form, mixtures, each)).toList(), aims);
  }

  /** What all losses together are predicted to be: their mean by the aims. */
  public double loss(double[] shares) {
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < aims.length; i++) {
      sum += aims[i] * laws.get(i).at(shares);
      weights += aims[i];
    }
    return sum / weights;
  }

  /** The mixture. */
  public double[] best(DrawnMixtures among, long seed) {
    record Scored(double[] shares, double loss) {}
    List<double[]> best =
        among.draw(DRAWN, seed).stream()
            .map(shares -> new Scored(shares, loss(shares)))
            .sorted(Comparator.comparingDouble(Scored::loss))
            .limit(BEST)
            .map(Scored::shares)
            .toList();
    double[] mean = new double[best.get(0).length];
    for (double[] shares : best) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += shares[i] / best.size();
      }
    }
    return mean;
  }
}
