package io.sluice.service.flink;

import io.sluice.control.config.Durations;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a mini cluster is started with.
 *
 * @param stateDirectory holds checkpoints and working files
 * @param taskManagers task managers at the start, at least 1
 * @param slots task slots of each task manager, at least 1
 * @param checkpointInterval time from one checkpoint's start to the next one's, at least 10 ms
 */
public record FlinkSettings(
    Path stateDirectory, int taskManagers, int slots, Duration checkpointInterval) {
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

  /** Checks the ranges. */
  public FlinkSettings {
    stateDirectory = stateDirectory.toAbsolutePath().normalize();
    requireAtLeastOne("task managers", taskManagers);
    requireAtLeastOne("slots", slots);
    if (checkpointInterval.compareTo(SHORTEST_INTERVAL) < 0) {
      throw new IllegalArgumentException(
          "checkpoint interval must be at least 10 ms: " + Durations.format(checkpointInterval));
    }
  }

  /** One task manager of 16 slots, a checkpoint every 500 ms. */
  public static FlinkSettings in(Path stateDirectory) {
    return new FlinkSettings(stateDirectory, 1, 16, Duration.ofMillis(500));
  }

  /** The same with another number of task managers, each with the given slots. */
  public FlinkSettings withTaskManagers(int count, int slotsOfEach) {
    return new FlinkSettings(stateDirectory, count, slotsOfEach, checkpointInterval);
  }

  /** The same with another checkpoint interval. */
  public FlinkSettings withCheckpointInterval(Duration interval) {
    return new FlinkSettings(stateDirectory, taskManagers, slots, interval);
  }

  private static void requireAtLeastOne(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1: " + value);
    }
  }
}
