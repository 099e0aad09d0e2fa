package io.sluice.cli.ingest.corpus;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Which of the topics among a dataset's sources have something that was not looked at yet. */
public final class FollowedTopics {
  private final KafkaAccess corpus;
  private final List<DatasetSource> topics;
  private final Map<DatasetSource, Map<TopicPartition, Long>> seen = new HashMap<>();

  /**
   * Those among some sources, all of them new.
   *
   * @param corpus how the corpus is reached
   */
  public FollowedTopics(KafkaAccess corpus, List<DatasetSource> sources) {
    this.corpus = corpus;
    this.topics = sources.stream().filter(source -> !source.getTopic().isEmpty()).toList();
  }

  /** The topics that end elsewhere than at the look before. */
  public List<DatasetSource> due() {
    return topics.stream().filter(this::isDue).toList();
  }

  private boolean isDue(DatasetSource source) {
    KafkaAccess access = TopicReading.access(corpus, source);
    Map<TopicPartition, Long> ends = new TopicScan(access).ends(List.of(source.getTopic()));
    return !ends.equals(seen.put(source, ends));
  }
}
