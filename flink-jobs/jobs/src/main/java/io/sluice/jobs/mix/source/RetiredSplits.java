package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.MixSplit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Splits of a reader that are not worked on, but belong into its checkpoints.
 *
 * <p>A finished one stays in them until one with it is complete: the enumerator's part of a
 * checkpoint is taken first, and would otherwise miss the split without knowing that it finished. A
 * failed one stays for good, so that it is tried again when the job restarts.
 */
final class RetiredSplits {
  private static final long NONE = -1;

  private final Map<String, MixSplit> failed = new LinkedHashMap<>();
  private final Map<String, MixSplit> finished = new LinkedHashMap<>();
  private final Map<String, Long> snapshotOf = new LinkedHashMap<>();

  void fail(MixSplit split) {
    failed.put(split.splitId(), split);
  }

  void finish(MixSplit split) {
    finished.put(split.splitId(), split);
    snapshotOf.put(split.splitId(), NONE);
  }

  /** All of them, for a checkpoint. */
  List<MixSplit> snapshot(long checkpointId) {
    snapshotOf.replaceAll((id, checkpoint) -> checkpoint == NONE ? checkpointId : checkpoint);
    List<MixSplit> all = new ArrayList<>(failed.values());
    all.addAll(finished.values());
    return all;
  }

  /** Lets go of what the checkpoint, or one before it, holds. */
  void complete(long checkpointId) {
    finished.keySet().removeIf(id -> isIn(snapshotOf.get(id), checkpointId));
    snapshotOf.keySet().retainAll(finished.keySet());
  }

  private static boolean isIn(@Nullable Long checkpoint, long completed) {
    return checkpoint != null && checkpoint != NONE && checkpoint <= completed;
  }

  /** Runs that failed. */
  int failures() {
    return failed.size();
  }
}
