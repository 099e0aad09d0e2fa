package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamTarget;
import java.util.List;
import java.util.Set;

/**
 * What came of runs whose streams' ends were sought.
 *
 * @param splits that go on
 * @param ended ids of splits that have nothing to emit
 * @param failed runs whose streams' ends cannot be told
 */
public record SettledRuns(List<MixSplit> splits, Set<String> ended, List<Failed> failed) {
  /** Copies the collections. */
  public SettledRuns {
    splits = List.copyOf(splits);
    ended = Set.copyOf(ended);
    failed = List.copyOf(failed);
  }

  /**
   * A run that cannot go on.
   *
   * @param splits ids of its splits
   */
  public record Failed(StreamTarget target, Set<String> splits, String reason) {
    /** Copies the set. */
    public Failed {
      splits = Set.copyOf(splits);
    }
  }
}
