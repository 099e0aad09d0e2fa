package io.sluice.lab.chaos.trainer;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The way of a trainer through its run, as its journal tells it. */
public final class TrainerPath {
  private final TreeMap<Long, Journal.Accepted> accepted = new TreeMap<>();
  private long sequences;
  private long replayed;
  private long lost;
  private long repeated;
  private long differing;

  private TrainerPath() {}

  public static TrainerPath of(List<Journal.Line> lines) {
    TrainerPath path = new TrainerPath();
    long next = 1;
    for (Journal.Line line : lines) {
      if (line instanceof Journal.Begun begun) {
        next = begun.batch() + 1;
      } else if (line instanceof Journal.Accepted taken) {
        path.lost += Math.max(0, taken.batch() - next);
        path.repeated += taken.batch() < next ? 1 : 0;
        next = taken.batch() + 1;
        path.take(taken);
      }
    }
    return path;
  }

  private void take(Journal.Accepted taken) {
    Journal.Accepted before = accepted.putIfAbsent(taken.batch(), taken);
    if (before == null) {
      sequences += taken.sequences();
      Journal.Accepted previous = accepted.get(taken.batch() - 1);
      long start = previous == null ? 0 : previous.firstIndex() + previous.sequences();
      differing += taken.firstIndex() == start ? 0 : 1;
    } else {
      replayed++;
      boolean same = before.digest().equals(taken.digest()) && before.rows() == taken.rows();
      differing += same ? 0 : 1;
    }
  }

  /** Every batch, as it was first accepted. */
  public SortedMap<Long, Journal.Accepted> accepted() {
    return accepted;
  }

  /** Sequences of all batches, each batch once. */
  public long sequences() {
    return sequences;
  }

  /** Batches that were taken again after going back to a checkpoint. */
  public long replayed() {
    return replayed;
  }

  /** Batches that were passed over. */
  public long lost() {
    return lost;
  }

  /** Batches that came again without going back. */
  public long repeated() {
    return repeated;
  }

  /** Batches that do not begin where the one before ends, or differ from what they were before. */
  public long differing() {
    return differing;
  }
}
