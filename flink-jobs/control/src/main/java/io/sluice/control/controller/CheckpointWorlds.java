package io.sluice.control.controller;

import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.Map;
import java.util.TreeMap;

/**
 * The oldest checkpoint that each rank keeps, of every world size that has named one: nothing that
 * one of them needs may be cut. A world of at least half as many ranks, all of which have named
 * theirs, takes the place of another; a single rank takes the place of none.
 */
final class CheckpointWorlds {
  /** World sizes at which nothing is cut any more: what others need is not known. */
  static final int MAX_WORLDS = 8;

  /** Followed by the world size, a slash and the rank; by the rank alone in earlier state. */
  private static final String PREFIX = "checkpoint/";

  private final RunStore store;
  private final TreeMap<Integer, TreeMap<Integer, TrainerProgress>> worlds = new TreeMap<>();

  /**
   * What was kept.
   *
   * @param parts everything in the store
   */
  CheckpointWorlds(RunStore store, Map<String, byte[]> parts) {
    this.store = store;
    parts.forEach(
        (part, bytes) -> {
          if (part.startsWith(PREFIX)) {
            TrainerProgress progress = WireCodec.decode(TrainerProgress.class, bytes);
            ranks(progress.getWorldSize()).put(progress.getRank(), progress);
            if (!part.equals(part(progress))) {
              store.remove(part);
              store.put(part(progress), bytes);
            }
          }
        });
  }

  private static String part(TrainerProgress progress) {
    return PREFIX + progress.getWorldSize() + "/" + progress.getRank();
  }

  private Map<Integer, TrainerProgress> ranks(int size) {
    return worlds.computeIfAbsent(size, unknown -> new TreeMap<>());
  }

  /** What a rank says that it keeps. */
  void report(TrainerProgress progress) {
    int size = progress.getWorldSize();
    if (!worlds.containsKey(size) && worlds.size() >= MAX_WORLDS) {
      return;
    }
    TrainerProgress before = ranks(size).get(progress.getRank());
    if (before == null || before.getOldestCheckpoint() != progress.getOldestCheckpoint()) {
      ranks(size).put(progress.getRank(), progress);
      store.put(part(progress), WireCodec.encode(progress));
    }
    if (size > 1 && oldestOf(size) >= 0) {
      worlds.keySet().stream()
          .filter(other -> other != size && other <= 2L * size)
          .toList()
          .forEach(this::forget);
    }
  }

  private void forget(int size) {
    Map<Integer, TrainerProgress> gone = worlds.remove(size);
    if (gone != null) {
      gone.values().forEach(progress -> store.remove(part(progress)));
    }
  }

  /** What was kept beyond a rewind's batch is gone: nobody has a checkpoint until they say so. */
  void clear() {
    worlds.keySet().stream().toList().forEach(this::forget);
  }

  /** Batch of the oldest checkpoint that any rank keeps; −1 unless every rank has named one. */
  long oldest() {
    return worlds.size() >= MAX_WORLDS
        ? -1
        : worlds.keySet().stream().mapToLong(this::oldestOf).min().orElse(-1);
  }

  private long oldestOf(int size) {
    Map<Integer, TrainerProgress> ranks = worlds.getOrDefault(size, new TreeMap<>());
    return ranks.size() < size
        ? -1
        : ranks.values().stream().mapToLong(TrainerProgress::getOldestCheckpoint).min().orElse(-1);
  }
}
