package io.sluice.mixture.policy.tree;

import org.jspecify.annotations.Nullable;

/**
 * What the held-out losses must show before a stage ends.
 *
 * @param below the loss that a domain must come below, for each domain of the tree; NaN for none
 * @param plateau least that the mean loss of all domains must fall by to go on, in nats; NaN for
 *     none
 * @param rounds in which it has to
 */
record TreeCondition(double[] below, double plateau, int rounds) {
  /**
   * Whether the stage is over.
   *
   * @param losses of each domain now; NaN where none was measured
   * @param means of the rounds of this stage so far, this one's last
   */
  boolean holds(double[] losses, double[] means) {
    return isBelow(losses) || isFlat(means);
  }

  private boolean isBelow(double[] losses) {
    boolean any = false;
    for (int i = 0; i < below.length; i++) {
      if (!Double.isNaN(below[i])) {
        any = true;
        if (!(losses[i] < below[i])) {
          return false;
        }
      }
    }
    return any;
  }

  private boolean isFlat(double[] means) {
    int last = means.length - 1;
    return !Double.isNaN(plateau) && last >= rounds && means[last - rounds] - means[last] < plateau;
  }

  /** The mean over all domains; null unless each was measured. */
  static @Nullable Double mean(double[] losses) {
    double sum = 0;
    for (double loss : losses) {
      sum += loss;
    }
    return Double.isNaN(sum) ? null : Double.valueOf(sum / losses.length);
  }

  /** The rounds that are worth remembering, with one more. */
  double[] with(double[] means, double[] losses) {
    Double mean = mean(losses);
    if (mean == null || Double.isNaN(plateau)) {
      return means;
    }
    int kept = Math.min(means.length, rounds);
    double[] next = new double[kept + 1];
    System.arraycopy(means, means.length - kept, next, 0, kept);
    next[kept] = mean;
    return next;
  }
}
