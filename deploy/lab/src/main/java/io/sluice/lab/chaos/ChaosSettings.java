package io.sluice.lab.chaos;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.python.PythonClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What is done to an installation.
 *
 * @param seed decides the order of the faults, their times and their victims
 * @param faults how many, at least 1
 * @param kinds that may come
 * @param stateDirectory of the cluster, the trainers' journals and the generated documents; empty
 *     or not there yet
 * @param brokers of the cluster, 1 or 3
 * @param taskManagers of the cluster
 * @param deliveryTimeout of the streams; a stall of the broker is longer
 * @param pace time between two batches of a trainer
 * @param aged batches that trainers take without a pause before anything goes wrong
 * @param python what a third run is trained with; empty: there is none
 */
record ChaosSettings(
    long seed,
    int faults,
    Set<FaultKind> kinds,
    Path stateDirectory,
    int brokers,
    int taskManagers,
    Duration deliveryTimeout,
    Duration pace,
    long aged,
    Optional<PythonClient> python) {
  private static final int BROKERS = 3;
  private static final long MOST_AGED = 1_000_000;

  ChaosSettings {
    if (faults < 1) {
      throw new IllegalArgumentException("--faults must be at least 1: " + faults);
    }
    if (brokers != 1 && brokers != BROKERS) {
      throw new IllegalArgumentException("--brokers must be 1 or 3: " + brokers);
    }
    if (aged < 0 || aged > MOST_AGED) {
      throw new IllegalArgumentException("--aged must be from 0 to " + MOST_AGED + ": " + aged);
    }
    for (FaultKind kind : kinds) {
      if (!kind.fits(brokers)) {
        throw new BadInputException(
            "--kinds must be such that --brokers " + brokers + " can suffer: " + kind.label());
      }
    }
    kinds = Set.copyOf(EnumSet.copyOf(kinds));
    stateDirectory = stateDirectory.toAbsolutePath().normalize();
    requireFresh(stateDirectory);
  }

  boolean clocksJump() {
    return kinds.contains(FaultKind.CLOCK_JUMP);
  }

  /** By how much the clocks of two processes may differ. */
  Duration clocksDiffer() {
    return clocksJump() ? ProcessFaults.LARGEST_JUMP : Duration.ZERO;
  }

  /** What an earlier proof left would be judged with this one. */
  private static void requireFresh(Path directory) {
    String[] found = directory.toFile().list();
    if (Files.exists(directory) && (found == null || found.length > 0)) {
      throw new BadInputException(
          "--state-dir must be an empty directory, or one that is not there yet: " + directory);
    }
  }
}
