package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.tail.StreamCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Splits of a reader that are not worked on, but belong into its checkpoints.
 *
 * <p>A finished one stays in them until one with it is complete: the enumerator's part of a
 * checkpoint is taken first, and would otherwise miss the split without knowing that it finished.
 * It also stays until what it wrote is flushed. A failed one stays for good, so that it is tried
 * again when the job restarts.
 */
final class RetiredSplits {
  private static final long NONE = -1;

  private final Map<String, MixSplit> failed = new LinkedHashMap<>();
  private final Map<String, Finished> finished = new LinkedHashMap<>();
  private final Map<String, Long> snapshotOf = new LinkedHashMap<>();

  /**
   * A split that has emitted all.
   *
   * @param flushed whether that is on the brokers' disks
   */
  private record Finished(MixSplit split, boolean flushed) {}

  void fail(MixSplit split) {
    failed.put(split.splitId(), split);
  }

  /** Keeps a split that the broker has all of, which may take some time to be on its disk. */
  void finish(MixSplit split) {
    finished.put(split.splitId(), new Finished(split, !split.reach().isAny()));
    snapshotOf.put(split.splitId(), NONE);
  }

  /**
   * Takes note of what was found of finished splits' streams.
   *
   * @return a split that must go on, which is not kept here any more; none if none must
   */
  List<MixSplit> hear(StreamCheck.Finding finding) {
    if (finding instanceof StreamCheck.Flushed) {
      finished.computeIfPresent(finding.splitId(), (id, one) -> new Finished(one.split(), true));
    }
    if (!(finding instanceof StreamCheck.Unfinished)) {
      return List.of();
    }
    Finished one = finished.remove(finding.splitId());
    snapshotOf.remove(finding.splitId());
    return one == null ? List.of() : List.of(one.split());
  }

  /** Whether a finished split is kept. */
  boolean hasFinished(String splitId) {
    return finished.containsKey(splitId);
  }

  /** All of them, for a checkpoint. */
  List<MixSplit> snapshot(long checkpointId) {
    snapshotOf.replaceAll((id, checkpoint) -> checkpoint == NONE ? checkpointId : checkpoint);
    List<MixSplit> all = new ArrayList<>(failed.values());
    finished.values().forEach(one -> all.add(one.split()));
    return all;
  }

  /**
   * Lets go of what the checkpoint, or one before it, holds, and is flushed.
   *
   * @return ids of those splits
   */
  Set<String> complete(long checkpointId) {
    Set<String> gone = new LinkedHashSet<>(finished.keySet());
    finished
        .values()
        .removeIf(
            one -> one.flushed() && isIn(snapshotOf.get(one.split().splitId()), checkpointId));
    snapshotOf.keySet().retainAll(finished.keySet());
    gone.removeAll(finished.keySet());
    return gone;
  }

  private static boolean isIn(@Nullable Long checkpoint, long completed) {
    return checkpoint != null && checkpoint != NONE && checkpoint <= completed;
  }

  /** Runs that failed. */
  int failures() {
    return failed.size();
  }
}
