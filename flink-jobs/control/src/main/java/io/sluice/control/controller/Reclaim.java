package io.sluice.control.controller;

/**
 * Sequences of a run's stream that no trainer will read again. Flink reads and writes the fields.
 */
public final class Reclaim {
  /** The run. */
  public String runId = "";

  /** What people call it. */
  public String run = "";

  /** Kafka's id of the run's stream topic: another of that name is not touched. */
  public String streamTopicId = "";

  /** The first batch that is still needed. */
  public long before;

  /** Called by Flink. */
  public Reclaim() {}

  Reclaim(String runId, String run, String streamTopicId, long before) {
    this.runId = runId;
    this.run = run;
    this.streamTopicId = streamTopicId;
    this.before = before;
  }
}
