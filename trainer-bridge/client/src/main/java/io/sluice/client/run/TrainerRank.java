package io.sluice.client.run;

import io.sluice.client.error.InvalidWorldSizeException;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of every global batch that one trainer process reads: rows [r · G / W, (r + 1) · G / W)
 * of a batch of G sequences.
 *
 * @param rank data-parallel rank r, in [0, worldSize)
 * @param worldSize data-parallel ranks W, at least 1; it must divide every batch of the run
 * @param replica which of the tensor, context or pipeline parallel peers of that rank: they read
 *     identical rows, and only replica 0 reports
 */
public record TrainerRank(int rank, int worldSize, int replica) {
  /** Checks the ranges. */
  public TrainerRank {
    if (worldSize < 1 || rank < 0 || rank >= worldSize) {
      throw new InvalidWorldSizeException(
          "rank must be in [0, world size), world size at least 1: rank "
              + rank
              + " of "
              + worldSize);
    }
    if (replica < 0) {
      throw new InvalidWorldSizeException("replica must not be negative: " + replica);
    }
  }

  /** A trainer of one process. */
  public static TrainerRank single() {
    return new TrainerRank(0, 1, 0);
  }

  /** Replica 0 of a rank. */
  public static TrainerRank of(int rank, int worldSize) {
    return new TrainerRank(rank, worldSize, 0);
  }

  /** Another replica of the same rank. */
  public TrainerRank withReplica(int peer) {
    return new TrainerRank(rank, worldSize, peer);
  }

  /** Whether this replica sends the rank's feedback and progress. */
  public boolean reports() {
    return replica == 0;
  }

  /**
   * Rows of this rank in a batch of so many sequences.
   *
   * @throws InvalidWorldSizeException if the world size does not divide them
   */
  public int rows(long batch, int sequences) {
    if (sequences % worldSize != 0) {
      throw new InvalidWorldSizeException(
          "world size "
              + worldSize
              + " does not divide the "
              + sequences
              + " sequences of batch "
              + batch
              + ": use a world size that divides every batch of the run");
    }
    return sequences / worldSize;
  }

  /**
   * Checks that the ranks can share the batches after one.
   *
   * @param last last batch of the run; 0 for no end
   * @throws InvalidWorldSizeException if the world size does not divide one
   */
  public void requireShares(BatchSchedule schedule, long after, long last) {
    var unused = partitions(schedule, after, last, 1);
  }

  /**
   * Stream partitions that hold rows of this rank in some batch after one.
   *
   * <p>Sequence g is in partition g mod S, so where batches of one size start, modulo S, repeats
   * after at most S of them.
   *
   * @param last last batch of the run; 0 for no end
   * @param partitions of the stream, S
   */
  public Set<Integer> partitions(BatchSchedule schedule, long after, long last, int partitions) {
    Set<Integer> found = new TreeSet<>();
    for (BatchSchedule.Stretch stretch : schedule.between(after, last)) {
      int rows = rows(stretch.fromBatch(), stretch.sequences());
      long first = stretch.firstIndex() + (long) rank * rows;
      for (long repeat = 0; repeat < Math.min(stretch.batches(), partitions); repeat++) {
        long start = first + repeat * stretch.sequences();
        for (int i = 0; i < Math.min(rows, partitions); i++) {
          found.add((int) ((start + i) % partitions));
        }
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return "rank " + rank + " of " + worldSize + (replica == 0 ? "" : ", replica " + replica);
  }
}
