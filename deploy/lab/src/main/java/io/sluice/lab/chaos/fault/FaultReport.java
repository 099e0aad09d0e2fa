package io.sluice.lab.chaos.fault;

import java.util.Map;

/**
 * A fault that was injected and has been recovered from.
 *
 * @param fault what kind
 * @param target what was hit
 * @param heldMillis how long the fault itself lasted
 * @param flowingMillis from the fault to the first batch after the last pause that it caused, of
 *     the run that was hit hardest; 0 if no trainer noticed
 * @param longestWaitMillis each run's longest time between two accepted batches
 */
public record FaultReport(
    int number,
    String fault,
    String target,
    long heldMillis,
    long flowingMillis,
    Map<String, Long> longestWaitMillis) {
  public FaultReport {
    longestWaitMillis = Map.copyOf(longestWaitMillis);
  }
}
