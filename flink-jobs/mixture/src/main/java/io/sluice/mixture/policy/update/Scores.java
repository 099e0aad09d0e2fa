package io.sluice.mixture.policy.update;

import java.util.Arrays;

/** What scores say together, and what to do about domains that were not measured. */
public final class Scores {
  private Scores() {}

  /** Scores of domains that were never measured. */
  public static double[] unknown(int domains) {
    double[] scores = new double[domains];
    Arrays.fill(scores, Double.NaN);
    return scores;
  }

  /** Whether none moves anything: each is 0, and none unknown. */
  public static boolean areZero(double[] scores) {
    return Arrays.stream(scores).allMatch(score -> score == 0);
  }

  /**
   * Puts the mean of the known scores, by weight, in place of each unknown one: it neither gains on
   * the others nor loses. All unknown: zeros.
   */
  public static void fillNeutral(double[] scores, double[] shares) {
    double sum = 0;
    double weight = 0;
    for (int i = 0; i < scores.length; i++) {
      if (!Double.isNaN(scores[i])) {
        sum += shares[i] * scores[i];
        weight += shares[i];
      }
    }
    double mean = weight > 0 ? sum / weight : 0;
    for (int i = 0; i < scores.length; i++) {
      scores[i] = Double.isNaN(scores[i]) ? mean : scores[i];
    }
  }
}
