package io.sluice.control.controller;

import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.Map;

/**
 * Progress in timelines that the control log has not been read as far as. A trainer that waits for
 * more batches reports no more, so what it said last must not be lost.
 */
final class EarlyProgress {
  /** Wrong reports must not pile up; a right one is soon followed by another or taken up. */
  private static final int MAX_HELD = 1024;

  private final StoredQueue held;

  /**
   * What was kept.
   *
   * @param parts everything in the store
   */
  EarlyProgress(RunStore store, Map<String, byte[]> parts) {
    this.held = new StoredQueue(store, "early/", parts);
  }

  void add(TrainerProgress progress) {
    held.add(WireCodec.encode(progress));
    if (held.size() > MAX_HELD) {
      held.removeFirst();
    }
  }

  /** Takes out what is of timelines up to this one, in the order of arrival. */
  List<TrainerProgress> upTo(int timeline) {
    return held.takeIf(bytes -> decode(bytes).getTimeline() <= timeline).stream()
        .map(EarlyProgress::decode)
        .toList();
  }

  private static TrainerProgress decode(byte[] bytes) {
    return WireCodec.decode(TrainerProgress.class, bytes);
  }
}
