package io.sluice.jobs.mix.stream;

import java.io.Serializable;

/**
 * Where a run's stream goes; one instance serves all records of a run.
 *
 * @param runId the run, which fails alone when its topic does
 * @param topic name of the stream topic
 * @param topicId Kafka's id of the topic that the run was started with; '' when it was not recorded
 */
public record StreamTarget(String runId, String topic, String topicId) implements Serializable {}
