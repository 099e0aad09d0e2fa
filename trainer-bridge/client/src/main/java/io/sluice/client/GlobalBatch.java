package io.sluice.client;

import java.util.List;

/**
 * One optimizer step's worth of sequences, in stream order.
 *
 * @param timeline 0 until a rewind
 * @param batch number of the batch, from 1
 * @param firstIndex global index of the first sequence
 * @param weightsVersion version of the mixture that governs it
 * @param sequences all of them
 */
public record GlobalBatch(
    int timeline, long batch, long firstIndex, int weightsVersion, List<Sequence> sequences) {
  /** Copies the list and checks that it is not empty. */
  public GlobalBatch {
    sequences = List.copyOf(sequences);
    if (sequences.isEmpty()) {
      throw new IllegalArgumentException("batch " + batch + " must have at least one sequence");
    }
  }

  /**
   * The contiguous part of the batch that one data-parallel rank trains on. The parts of all ranks
   * are disjoint and make up the batch; they differ by at most one sequence.
   *
   * @param rank in [0, worldSize)
   * @throws IllegalArgumentException if the rank is outside the range
   */
  public List<Sequence> partOf(int rank, int worldSize) {
    if (worldSize < 1 || rank < 0 || rank >= worldSize) {
      throw new IllegalArgumentException(
          "rank must be in [0, world size), world size at least 1: rank "
              + rank
              + " of "
              + worldSize);
    }
    return sequences.subList(start(rank, worldSize), start(rank + 1, worldSize));
  }

  private int start(int rank, int worldSize) {
    return (int) ((long) sequences.size() * rank / worldSize);
  }
}
