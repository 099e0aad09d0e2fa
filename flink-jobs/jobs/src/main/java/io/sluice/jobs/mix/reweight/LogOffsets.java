package io.sluice.jobs.mix.reweight;

import io.sluice.control.topics.RunLog;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a job without state begins to read: runs' own logs at the newest snapshot in each, all else
 * at its start.
 */
final class LogOffsets implements OffsetsInitializer {
  private static final long serialVersionUID = 1L;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaAccess kafka;

  LogOffsets(KafkaAccess kafka) {
    this.kafka = kafka;
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    List<String> logs = new ArrayList<>();
    Topics topics = kafka.topics();
    for (TopicPartition partition : partitions) {
      offsets.put(partition, KafkaPartitionSplit.EARLIEST_OFFSET);
      String topic = partition.topic();
      if (RunLog.isTopic(topics, topic) && RunLog.of(topics, topic) == RunLog.OWN) {
        logs.add(topic.substring(topics.control("").length()));
      }
    }
    if (!logs.isEmpty()) {
      try (LogBeginnings beginnings = LogBeginnings.of(kafka)) {
        beginnings
            .newest(logs, PATIENCE)
            .forEach(
                (runId, found) -> {
                  if (found.snapshot().isPresent()) {
                    offsets.put(new TopicPartition(topics.control(runId), 0), found.offset());
                  }
                });
      }
    }
    return offsets;
  }

  @Override
  @SuppressWarnings("deprecation") // Flink's interface has it.
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return OffsetResetStrategy.EARLIEST;
  }
}
