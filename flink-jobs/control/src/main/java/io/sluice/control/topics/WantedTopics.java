package io.sluice.control.topics;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The topics of a deployment as {@link TopicAdmin} leaves them, with all configs that it gives and
 * asks for, for who makes them by other means.
 *
 * @param topics their names
 * @param brokers how many the cluster has, at least 1
 */
public record WantedTopics(Topics topics, int brokers) {
  /** Checks the number. */
  public WantedTopics {
    if (brokers < 1) {
      throw new IllegalArgumentException("brokers must be at least 1: " + brokers);
    }
  }

  /** Those that every deployment has. */
  public List<NewTopic> service() {
    return made(wanted().service());
  }

  /** A dataset's, the corpora of its domains among them. */
  public List<NewTopic> dataset(DatasetSpec spec) {
    return made(wanted().dataset(spec));
  }

  /** A refinery's, the corpora of what it reads and writes among them. */
  public List<NewTopic> refinery(RefineSpec spec) {
    return made(wanted().refinery(spec));
  }

  /** A run's. */
  public List<NewTopic> run(RunSpec spec, String runId) {
    return made(wanted().run(spec, runId));
  }

  private DeploymentTopics wanted() {
    return new DeploymentTopics(topics);
  }

  private List<NewTopic> made(List<TopicSettings> wanted) {
    Durability durability = Durability.of(brokers);
    return wanted.stream().map(topic -> made(durability, topic)).toList();
  }

  private static NewTopic made(Durability durability, TopicSettings topic) {
    NewTopic creation = durability.creation(topic);
    Map<String, String> configs = new HashMap<>(creation.configs());
    if (topic.isTable()) {
      configs.putAll(TableCompaction.WISHED);
    }
    return creation.configs(configs);
  }
}
