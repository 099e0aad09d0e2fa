package io.sluice.cli.plan.need;

import io.sluice.cli.storage.Owner;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A topic that is needed.
 *
 * @param topic its name; with '*' for what is drawn when a run is applied
 * @param replicas of each partition; empty for what the brokers give
 * @param config every Kafka topic config that it gets
 * @param standing what the brokers say of it
 * @param differences that it has from what is wanted
 * @param bytes that it comes to have, once; empty where that is not estimated
 */
public record PlannedTopic(
    String topic,
    Owner owner,
    int partitions,
    OptionalLong replicas,
    Map<String, String> config,
    Standing standing,
    List<String> differences,
    OptionalLong bytes) {
  /** What brokers say of a topic. */
  public enum Standing {
    NOT_ASKED("not asked"),
    MISSING("to be made"),
    THERE("there"),
    DIFFERS("differs");

    private final String words;

    Standing(String words) {
      this.words = words;
    }

    /** For people and programs. */
    public String words() {
      return words;
    }
  }

  /** Copies the lists. */
  public PlannedTopic {
    config = Map.copyOf(config);
    differences = List.copyOf(differences);
  }

  /** The topic that a request would make. */
  public static PlannedTopic of(
      NewTopic wanted,
      Owner owner,
      Standing standing,
      List<String> differences,
      OptionalLong bytes) {
    return new PlannedTopic(
        wanted.name(),
        owner,
        wanted.numPartitions(),
        wanted.replicationFactor() > 0
            ? OptionalLong.of(wanted.replicationFactor())
            : OptionalLong.empty(),
        wanted.configs(),
        standing,
        differences,
        bytes);
  }

  /** Whether its name is known before a run is applied. */
  public boolean isNamed() {
    return !topic.endsWith(PlannedRun.ANY);
  }

  /** Its configs in the order of their names. */
  public Map<String, String> sorted() {
    return new TreeMap<>(config);
  }

  /** Whether the last record of each key stays, or all do, and what else matters to its bytes. */
  public String cleanup() {
    return "compact".equals(config.get("cleanup.policy"))
        ? "compacted"
        : "-1".equals(config.get("retention.ms")) ? "kept" : "deleted";
  }
}
