package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Extent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of a run in which the groups of a tree keep a ratio, or move from one to another.
 *
 * @param path of its settings, for messages
 * @param ratios of each group when it begins, summing to 1
 * @param to of each group when it ends; the same as {@code ratios} when they do not move
 * @param change how they move
 * @param until batches or sequences from the run's start; null for none
 * @param length batches from the stage's start; 0 for none
 * @param when ends it earlier; null for none
 * @param resting groups whose policies decide nothing meanwhile
 */
record TreeStage(
    String path,
    double[] ratios,
    double[] to,
    Change change,
    @Nullable Extent until,
    long length,
    @Nullable TreeCondition when,
    Set<Integer> resting) {
  /** How ratios move. */
  enum Change {
    LINEAR,
    COSINE
  }

  /** Whether it ends at all. */
  boolean ends() {
    return until != null || length > 0 || when != null;
  }

  /** Whether it ends at a batch that is known when it begins. */
  boolean isScheduled() {
    return when == null && ends();
  }

  /** The last batch of the stage, if nothing ends it earlier. */
  long lastBatch(Cadence cadence, long begin) {
    if (until != null) {
      return until.lastBatch(cadence);
    }
    return length > 0 ? begin + length : Long.MAX_VALUE;
  }

  /** The ratios of the batches that come after {@code batch}, which is in this stage. */
  double[] after(long batch, Cadence cadence, long begin) {
    if (ratios == to) {
      return ratios;
    }
    double way = progress(batch, cadence, begin);
    double moved = change == Change.LINEAR ? way : (1 - Math.cos(Math.PI * way)) / 2;
    double[] shares = new double[ratios.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (1 - moved) * ratios[i] + moved * to[i];
    }
    return shares;
  }

  private double progress(long batch, Cadence cadence, long begin) {
    if (until != null && until.inSequences()) {
      double start = cadence.sequencesIn(begin);
      return clamp((cadence.sequencesIn(batch) - start) / (until.count() - start));
    }
    return clamp((double) (batch - begin) / (lastBatch(cadence, begin) - begin));
  }

  private static double clamp(double way) {
    return Math.max(0, Math.min(1, way));
  }
}
