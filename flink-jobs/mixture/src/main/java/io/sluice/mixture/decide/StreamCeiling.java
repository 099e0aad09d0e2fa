package io.sluice.mixture.decide;

import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;

/** How far a run may be granted whose stream may hold so much and no more. */
final class StreamCeiling {
  private StreamCeiling() {}

  /**
   * Last batch that may be granted: the sequences after the oldest checkpoint of the trainers are
   * within the limit, or it is the only batch after it. {@link Long#MAX_VALUE} without a limit.
   */
  static long reach(RunState state, Inputs inputs) {
    RunSettings settings = state.settings();
    long left = settings.limits().heldSequences();
    if (left == 0) {
      return Long.MAX_VALUE;
    }
    long batch = kept(state, inputs) + 1;
    // From one change of the size to the next.
    for (Long next = settings.batchSizes().higherKey(batch);
        next != null && left >= (next - batch) * settings.batchSize(batch);
        next = settings.batchSizes().higherKey(batch)) {
      left -= (next - batch) * settings.batchSize(batch);
      batch = next;
    }
    return Math.max(kept(state, inputs) + 1, batch - 1 + left / settings.batchSize(batch));
  }

  /** What a run waits for that has come as far. */
  static String waits(RunState state, Inputs inputs) {
    return "limits.stream: batch "
        + state.position().granted()
        + " is granted, and the stream holds what it may after batch "
        + kept(state, inputs)
        + ", the oldest checkpoint of the trainers";
  }

  /**
   * The batch after which the stream is needed. After a rewind nobody has named a checkpoint, and
   * who goes on from one needs batches before naming it: then all since the rewind count.
   */
  private static long kept(RunState state, Inputs inputs) {
    long named = Math.max(inputs.trainers().kept(), state.lineage().newestAfter());
    return Math.max(0, Math.min(named, state.position().granted()));
  }
}
