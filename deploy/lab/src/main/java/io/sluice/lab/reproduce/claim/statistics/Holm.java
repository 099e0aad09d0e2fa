package io.sluice.lab.reproduce.claim.statistics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's correction (<i>A simple sequentially rejective multiple test procedure</i>, Scandinavian
 * Journal of Statistics 6, 1979): with it the chance that any of a family's true null hypotheses is
 * rejected is at most the level, whatever they have to do with each other.
 */
public final class Holm {
  private Holm() {}

  /**
   * The corrected p of each: in ascending order the i-th of m becomes the greatest of (m - j + 1)·p
   * over all j up to i, at most 1.
   *
   * @param p of each hypothesis of the family, from 0 to 1
   * @return in the same order
   */
  public static double[] adjusted(double... p) {
    if (!Arrays.stream(p).allMatch(value -> value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("each p must be from 0 to 1: " + Arrays.toString(p));
    }
    int[] ascending =
        IntStream.range(0, p.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> p[i]))
            .mapToInt(i -> i)
            .toArray();
    double[] adjusted = new double[p.length];
    double greatest = 0;
    for (int rank = 0; rank < p.length; rank++) {
      int place = ascending[rank];
      greatest = Math.max(greatest, Math.min(1, (p.length - rank) * p[place]));
      adjusted[place] = greatest;
    }
    return adjusted;
  }
}
