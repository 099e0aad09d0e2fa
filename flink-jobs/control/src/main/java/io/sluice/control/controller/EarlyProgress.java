package io.sluice.control.controller;

import io.sluice.mixture.log.RunState;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.BatchDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the trainers' progress, and keeps what is of timelines that the control log has not been
 * read as far as. A trainer that waits for more batches reports no more, so what it said last must
 * not be lost.
 */
final class EarlyProgress {
  /** Wrong reports must not pile up; a right one is soon followed by another or taken up. */
  private static final int MAX_HELD = 1024;

  private final StoredQueue<Integer> held;
  private final TrainerRegistry trainers;
  private final RunJournal notes;

  /**
   * What was kept.
   *
   * @param parts everything in the store
   * @param trainers who say what they keep
   * @param notes where progress, and what is wrong with it, is written down
   */
  EarlyProgress(
      RunStore store, Map<String, byte[]> parts, TrainerRegistry trainers, RunJournal notes) {
    this.held = new StoredQueue<>(store, "early/", parts, bytes -> decode(bytes).getTimeline());
    this.trainers = trainers;
    this.notes = notes;
  }

  /**
   * A rank has come this far. What it has read is for the audit: it is checked, and not kept.
   *
   * @param state null before the run's start is read
   */
  void take(TrainerProgress progress, @Nullable RunState state) {
    ReadBatches read = progress.getRead();
    if (read == null) {
      takeUp(progress, state);
      return;
    }
    try {
      BatchDigest.requirePossible(read, progress.getBatch());
    } catch (IllegalArgumentException e) {
      notes.refuseFeedback("progress " + e.getMessage());
      return;
    }
    takeUp(TrainerProgress.newBuilder(progress).setRead(null).build(), state);
  }

  private void takeUp(TrainerProgress progress, @Nullable RunState state) {
    if (state != null && progress.getTimeline() <= state.position().timeline()) {
      hear(progress, state);
      return;
    }
    held.add(WireCodec.encode(progress));
    if (held.size() > MAX_HELD) {
      held.removeFirst();
    }
  }

  /** Takes up what was kept, as far as the log has been read, in the order of arrival. */
  void follow(RunState state) {
    int timeline = state.position().timeline();
    held.takeIf(of -> of <= timeline).forEach(bytes -> hear(decode(bytes), state));
  }

  private void hear(TrainerProgress progress, RunState state) {
    long granted = state.position().granted();
    try {
      TrainerPosition.requireOwned(progress, state);
      if (progress.getBatch() <= granted) {
        trainers.report(progress);
      }
      notes.report(progress.getBatch(), granted);
    } catch (IllegalArgumentException e) {
      notes.refuseFeedback("progress " + e.getMessage());
    }
  }

  private static TrainerProgress decode(byte[] bytes) {
    return WireCodec.decode(TrainerProgress.class, bytes);
  }
}
