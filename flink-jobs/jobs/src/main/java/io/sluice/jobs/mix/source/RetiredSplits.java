package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.MixSplit;
import java.time.Duration;
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
   * @param flushedNanos when that is flushed
   */
  private record Finished(MixSplit split, long flushedNanos) {}

  void fail(MixSplit split) {
    failed.put(split.splitId(), split);
  }

  /** Keeps a split that the broker has all of, which may take some time to be on its disk. */
  void finish(MixSplit split, Duration unflushed, long nowNanos) {
    long wait = split.reach().isAny() ? unflushed.toNanos() : 0;
    finished.put(split.splitId(), new Finished(split, nowNanos + wait));
    snapshotOf.put(split.splitId(), NONE);
  }

  /** A finished split, which is not kept here any more; none if it is not. */
  List<MixSplit> take(String splitId) {
    Finished one = finished.remove(splitId);
    snapshotOf.remove(splitId);
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
  Set<String> complete(long checkpointId, long nowNanos) {
    Set<String> gone = new LinkedHashSet<>(finished.keySet());
    finished
        .values()
        .removeIf(
            one ->
                isIn(snapshotOf.get(one.split().splitId()), checkpointId)
                    && nowNanos - one.flushedNanos() >= 0);
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
