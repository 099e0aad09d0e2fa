package io.sluice.control.history;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.RunStarted;

/**
 * The first entry of a run, and where it is.
 *
 * @param topic that holds the run's control log
 * @param logTime Kafka's timestamp of the record
 */
public record RunStart(
    String topic, long offset, long logTime, RunStarted started, ControlEntry entry) {
  /** Name and suffix. */
  public String runId() {
    return entry.runId();
  }

  /** What people call the run. */
  public String name() {
    return started.getSpec().getRun();
  }
}
