package io.sluice.refine.basis;

import io.sluice.control.error.BadInputException;

/**
 * How documents are resampled.
 *
 * @param scale copies that a topic is to have in all, as a share of the pool's documents: above 0,
 *     at most 1000
 * @param maxCopies most copies of a document in a topic, 1 to 1000
 * @param seed of the draws
 */
public record Resampling(double scale, int maxCopies, long seed) {
  /** Most copies of a document in a topic unless told otherwise. */
  public static final int MAX_COPIES = 8;

  static final int MOST = 1000;

  /** Checks the ranges. */
  public Resampling {
    if (!(scale > 0 && scale <= MOST)) {
      throw new BadInputException(
          "scale must be a number above 0, at most " + MOST + ": found " + scale);
    }
    if (maxCopies < 1 || maxCopies > MOST) {
      throw new BadInputException(
          "max-copies must be a whole number from 1 to " + MOST + ": found " + maxCopies);
    }
  }
}
