package io.sluice.control.controller;

import io.sluice.control.topics.RunLog;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunStatus;

/** What a controller wants done. */
public sealed interface RunEffect {
  /**
   * This record should be appended to the control log; it counts only once it is read back.
   *
   * @param value its encoding, which fits the log
   * @param log that it belongs to
   */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  record Propose(ControlRecord record, byte[] value, RunLog log) implements RunEffect {}

  /** People should see this. */
  record Publish(RunStatus status) implements RunEffect {}

  /**
   * Nobody will read this part of the stream again.
   *
   * @param run what people call it
   * @param streamTopicId Kafka's id of the run's stream topic: another of that name is not touched
   * @param before the first batch that is still needed
   */
  record Reclaim(String runId, String run, String streamTopicId, long before)
      implements RunEffect {}
}
