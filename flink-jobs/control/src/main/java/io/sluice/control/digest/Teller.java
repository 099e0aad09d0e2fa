package io.sluice.control.digest;

import io.sluice.mixture.round.Report;
import java.util.Comparator;

/**
 * Who says what it read.
 *
 * @param timeline that its batches are of
 * @param worldSize ranks that share a batch
 * @param rank of them
 */
record Teller(int timeline, int worldSize, int rank) implements Comparable<Teller> {
  private static final Comparator<Teller> ORDER =
      Comparator.comparingInt(Teller::timeline)
          .thenComparingInt(Teller::worldSize)
          .thenComparingInt(Teller::rank);

  /** Whether there can be such a rank. */
  boolean isPossible() {
    return worldSize >= 1 && worldSize <= Report.MAX_WORLD && rank >= 0 && rank < worldSize;
  }

  /** The same rank in another timeline. */
  Teller of(int other) {
    return new Teller(other, worldSize, rank);
  }

  @Override
  public int compareTo(Teller other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "rank " + rank + " of " + worldSize;
  }
}
