package io.sluice.service.cluster;

import io.sluice.control.config.Durations;
import io.sluice.service.local.LocalSettings;
import io.sluice.service.local.Preparation;
import java.time.Duration;
import java.util.Map;

/**
 * What a cluster of processes is started with.
 *
 * @param service what every service is started with
 * @param brokers to start where none is given: 1, or 3 which keep three copies of everything
 * @param taskManagers processes that do the work, from 1 to 64
 * @param parallelism of MixJob, from 1 to the slots that the task managers have
 * @param prepareParallelism of each dataset's job, from 1 to the same
 * @param memory of each process
 * @param deliveryTimeout how long the broker may stay away before MixJob restarts
 * @param flink further options of the Flink processes, over the cluster's own
 */
public record ClusterSettings(
    LocalSettings service,
    int brokers,
    int taskManagers,
    int parallelism,
    int prepareParallelism,
    ProcessMemory memory,
    Duration deliveryTimeout,
    Map<String, String> flink) {
  /** Task slots of each task manager. */
  public static final int SLOTS = 32;

  private static final int CLUSTER_OF_BROKERS = 3;

  private static final int MOST_TASK_MANAGERS = 64;

  /** Checks the ranges. */
  public ClusterSettings {
    flink = Map.copyOf(flink);
    if (brokers != 1 && brokers != CLUSTER_OF_BROKERS) {
      throw new IllegalArgumentException("brokers must be 1 or 3: " + brokers);
    }
    requireIn("task managers", taskManagers, MOST_TASK_MANAGERS);
    requireIn("parallelism", parallelism, taskManagers * SLOTS);
    requireIn("parallelism of preparing", prepareParallelism, taskManagers * SLOTS);
    if (deliveryTimeout.toMillis() < 1_000) {
      throw new IllegalArgumentException(
          "delivery timeout must be at least 1 s: " + Durations.format(deliveryTimeout));
    }
  }

  /** The given number of task managers, each of which takes part in the mixing. */
  public static ClusterSettings of(LocalSettings service, int taskManagers) {
    return new ClusterSettings(
        service,
        1,
        taskManagers,
        taskManagers,
        taskManagers,
        ProcessMemory.defaults(),
        Duration.ofSeconds(60),
        Map.of());
  }

  /** The same with another delivery timeout. */
  public ClusterSettings withDeliveryTimeout(Duration timeout) {
    return new ClusterSettings(
        service, brokers, taskManagers, parallelism, prepareParallelism, memory, timeout, flink);
  }

  /** The same with another number of brokers. */
  public ClusterSettings withBrokers(int number) {
    return new ClusterSettings(
        service,
        number,
        taskManagers,
        parallelism,
        prepareParallelism,
        memory,
        deliveryTimeout,
        flink);
  }

  Preparation preparation() {
    return service.preparation(prepareParallelism);
  }

  private static void requireIn(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(what + " must be from 1 to " + most + ": " + value);
    }
  }
}
