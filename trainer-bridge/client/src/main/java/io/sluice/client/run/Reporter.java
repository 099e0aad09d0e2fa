package io.sluice.client.run;

/**
 * Who sends feedback: one data-parallel rank of a trainer that follows one timeline.
 *
 * @param timeline of the stream that the trainer follows; 0 until a rewind
 * @param worldSize ranks that train together, at least 1
 * @param rank in [0, worldSize)
 */
public record Reporter(int timeline, int worldSize, int rank) {
  /** Checks the ranges. */
  public Reporter {
    if (timeline < 0) {
      throw new IllegalArgumentException("timeline must not be negative: " + timeline);
    }
    var unused = TrainerRank.of(rank, worldSize);
  }

  /** A trainer of one process on the first timeline. */
  public static Reporter single() {
    return new Reporter(0, 1, 0);
  }
}
