package io.sluice.mixture.law;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.random.RandomDataGenerator;

/**
 * Mixtures drawn from a Dirichlet distribution, as RegMix (Liu et al. 2024, section 3.1) and Olmix
 * have them for their short runs. Of parts that are kept together only the sum is drawn.
 *
 * @param parts each a mixture of the domains, not negative, summing to 1
 * @param concentration of the distribution: 1 for uniform over the simplex, less for mixtures of
 *     few parts
 */
public record DrawnMixtures(List<double[]> parts, double concentration) {
  /** Checks and copies the parts. */
  public DrawnMixtures {
    if (parts.isEmpty() || !(concentration > 0) || Double.isInfinite(concentration)) {
      throw new IllegalArgumentException(
          "mixtures must be of at least one part, and their concentration above 0: "
              + parts.size()
              + ", "
              + concentration);
    }
    parts = parts.stream().map(double[]::clone).toList();
  }

  /** Those of single domains, none kept together. */
  public static DrawnMixtures of(int domains, double concentration) {
    List<double[]> parts = new ArrayList<>();
    for (int i = 0; i < domains; i++) {
      double[] one = new double[domains];
      one[i] = 1;
      parts.add(one);
    }
    return new DrawnMixtures(parts, concentration);
  }

  /**
   * So many mixtures.
   *
   * @param seed the same one gives the same mixtures
   * @return each with a share for each domain, summing to 1
   */
  public List<double[]> draw(int count, long seed) {
    RandomDataGenerator random = new RandomDataGenerator(seed);
    List<double[]> drawn = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      drawn.add(one(random));
    }
    return drawn;
  }

  private double[] one(RandomDataGenerator random) {
    double[] shares = new double[parts.size()];
    double sum = 0;
    while (!(sum > 0)) {
      sum = 0;
      for (int i = 0; i < shares.length; i++) {
        shares[i] = random.nextGamma(concentration, 1);
        sum += shares[i];
      }
    }
    double[] mixture = new double[parts.get(0).length];
    for (int i = 0; i < shares.length; i++) {
      double[] part = parts.get(i);
      for (int j = 0; j < mixture.length; j++) {
        mixture[j] += shares[i] / sum * part[j];
      }
    }
    return mixture;
  }
}
