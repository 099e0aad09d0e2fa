package io.sluice.lab.demo;

import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a demo is started with.
 *
 * @param project folder of the sources, for the default corpus
 * @param stateDirectory is emptied, then holds broker, checkpoints and logs
 * @param port of the broker; 0 for any free one
 * @param corpus a folder with one sub-folder per domain; empty for the project's own files
 * @param policy of the run
 * @param steps optimizer steps, and batches of the run
 * @param batchSize sequences per batch
 * @param sequenceLength labels per sequence
 * @param updateEvery steps between rounds
 * @param lag of the rounds
 * @param policySettings flat, as in a run's file
 * @param targetDomains whose held-out text gradients are compared with, for policies that ask
 * @param newWeight of the EMA
 * @param seed of the data, the orders of batches and the model
 * @param replay the report of an earlier demo, whose losses are sent instead of training a model
 */
record DemoSettings(
    Path project,
    Path stateDirectory,
    int port,
    Optional<Path> corpus,
    String policy,
    int steps,
    int batchSize,
    int sequenceLength,
    int updateEvery,
    int lag,
    Map<String, String> policySettings,
    List<String> targetDomains,
    double newWeight,
    long seed,
    Optional<Path> replay) {
  DemoSettings {
    policySettings = Map.copyOf(policySettings);
    targetDomains = List.copyOf(targetDomains);
    requireRange("--port", port, 0, 65_535);
    requireRange("--steps", steps, 1, 1_000_000);
    requireRange("--batch", batchSize, 1, 4096);
    requireRange("--sequence-length", sequenceLength, 8, 4096);
    requireRange("--every", updateEvery, 1, 1_000_000);
    requireRange("--lag", lag, 0, 1_000_000);
  }

  /** What gradients are compared with in a demo of these domains: by default the first. */
  List<String> targetDomainsOf(List<String> domains) {
    return targetDomains.isEmpty() ? domains.subList(0, 1) : targetDomains;
  }

  private static void requireRange(String key, long value, long low, long high) {
    if (value < low || value > high) {
      throw new BadInputException(key + " must be in [" + low + ", " + high + "]: " + value);
    }
  }
}
