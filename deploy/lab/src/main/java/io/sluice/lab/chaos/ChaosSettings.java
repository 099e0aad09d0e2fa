package io.sluice.lab.chaos;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.chaos.fault.FaultKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What is done to an installation.
 *
 * @param seed decides the order of the faults, their times and their victims
 * @param faults how many, at least 1
 * @param kinds that may come
 * @param stateDirectory of the cluster, the trainers' journals and the generated documents; empty
 *     or not there yet
 * @param taskManagers of the cluster
 * @param deliveryTimeout of the streams; a stall of the broker is longer
 * @param pace time between two batches of a trainer
 */
record ChaosSettings(
    long seed,
    int faults,
    Set<FaultKind> kinds,
    Path stateDirectory,
    int taskManagers,
    Duration deliveryTimeout,
    Duration pace) {
  ChaosSettings {
    if (faults < 1) {
      throw new IllegalArgumentException("--faults must be at least 1: " + faults);
    }
    kinds = Set.copyOf(EnumSet.copyOf(kinds));
    stateDirectory = stateDirectory.toAbsolutePath().normalize();
    requireFresh(stateDirectory);
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
