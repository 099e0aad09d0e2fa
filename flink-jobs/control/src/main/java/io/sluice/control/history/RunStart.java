package io.sluice.control.history;

/**
 * Where a run began: its first entry, without what that says.
 *
 * @param runId name and suffix
 * @param name what people call the run
 * @param topic that holds the run's control log
 * @param offset of the entry
 * @param logTime Kafka's timestamp of the record
 */
public record RunStart(String runId, String name, String topic, long offset, long logTime) {}
