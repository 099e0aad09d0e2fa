package io.sluice.jobs.mix.reweight;

import io.sluice.control.topics.RunLog;
import io.sluice.jobs.mix.tail.KafkaTopicEnds;
import io.sluice.jobs.mix.tail.TopicEnds;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a job without state begins to read: runs' own logs at the newest snapshot in each, all else
 * at its start.
 */
final class LogOffsets implements OffsetsInitializer {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(LogOffsets.class);

  /**
   * A reader that is told to begin at a partition's first record asks its leader for that, and
   * reads no other partition until it is answered. Records that are gone are passed over.
   */
  private static final long START = 0;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaAccess kafka;

  LogOffsets(KafkaAccess kafka) {
    this.kafka = kafka;
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    Map<String, String> logs = new HashMap<>();
    Topics topics = kafka.topics();
    for (TopicPartition partition : partitions) {
      offsets.put(partition, START);
      String topic = partition.topic();
      if (RunLog.isTopic(topics, topic) && RunLog.of(topics, topic) == RunLog.OWN) {
        logs.put(topic, topics.runIdOf(topic));
      }
    }
    if (!logs.isEmpty()) {
      try (TopicEnds ends = new KafkaTopicEnds(kafka);
          LogBeginnings beginnings = LogBeginnings.of(kafka)) {
        newest(logs, ends, runIds -> beginnings.newest(runIds, PATIENCE))
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

  /**
   * What is found of logs, by run; one that does not answer is left out: it is read from its start.
   *
   * @param logs the run that each topic is of
   * @throws KafkaUnreachableException if that is not because of some of the logs
   */
  static <T> Map<String, T> newest(
      Map<String, String> logs,
      TopicEnds ends,
      Function<Collection<String>, Map<String, T>> newest) {
    Map<String, String> open = new HashMap<>(logs);
    while (true) {
      Set<String> unknown = ends.of(open.keySet()).unknown();
      open.keySet().removeAll(unknown);
      if (!unknown.isEmpty()) {
        LOG.warn("Logs {} do not answer: they are read from their starts when they do", unknown);
      }
      try {
        return open.isEmpty() ? Map.of() : newest.apply(open.values());
      } catch (KafkaUnreachableException e) {
        if (ends.of(open.keySet()).unknown().isEmpty()) {
          throw e;
        }
      }
    }
  }

  @Override
  @SuppressWarnings("deprecation") // Flink's interface has it.
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return OffsetResetStrategy.EARLIEST;
  }
}
