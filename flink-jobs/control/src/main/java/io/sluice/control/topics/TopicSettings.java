package io.sluice.control.topics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * What a topic must be like to be correct.
 *
 * @param configs Kafka topic configs; an existing topic must have them too
 * @param actedOn whether somebody acts on a record as soon as it is there, and cannot take it back
 */
record TopicSettings(String name, int partitions, Map<String, String> configs, boolean actedOn) {
  /** Of how many partitions a topic has, as a {@link TopicDifference} has it. */
  static final String PARTITIONS = "partitions";

  private static final String UNLIMITED = "-1";
  private static final String CLEANUP = "cleanup.policy";
  private static final String COMPACT = "compact";

  TopicSettings {
    configs = Map.copyOf(configs);
  }

  /** A log that loses nothing: neither age nor size deletes a record. */
  static TopicSettings log(String name, int partitions) {
    return new TopicSettings(
        name,
        partitions,
        Map.of(CLEANUP, "delete", "retention.ms", UNLIMITED, "retention.bytes", UNLIMITED),
        false);
  }

  /** A table: the last record of each key stays. */
  static TopicSettings table(String name) {
    return new TopicSettings(name, 1, Map.of(CLEANUP, COMPACT), false);
  }

  /** Whether it is a {@link #table}. */
  boolean isTable() {
    return COMPACT.equals(configs.get(CLEANUP));
  }

  /** On whose records somebody acts as soon as they are there. */
  TopicSettings thatIsActedOn() {
    return new TopicSettings(name, partitions, configs, true);
  }

  /** With records of up to so many bytes. */
  TopicSettings records(int largest) {
    return with(Map.of("max.message.bytes", Integer.toString(largest)));
  }

  /** Whose records the brokers keep compressed. */
  TopicSettings compressed() {
    return with(Map.of("compression.type", "zstd"));
  }

  /**
   * With timestamps that are positions: a broker that checks them against its clock would refuse
   * them.
   */
  TopicSettings positionTimestamps() {
    return with(
        Map.of(
            "message.timestamp.type",
            "CreateTime",
            "message.timestamp.before.max.ms",
            Long.toString(Long.MAX_VALUE)));
  }

  /** What a topic that exists has otherwise. */
  List<TopicDifference> differences(TopicDescription found, Config config) {
    List<TopicDifference> differences = new ArrayList<>();
    if (found.partitions().size() != partitions) {
      differences.add(
          new TopicDifference(
              name,
              PARTITIONS,
              Integer.toString(partitions),
              Integer.toString(found.partitions().size())));
    }
    configs.forEach((key, value) -> compare(name, key, value, config).ifPresent(differences::add));
    return differences;
  }

  /** How a config of a topic differs from a value; empty where it has that. */
  static Optional<TopicDifference> compare(String topic, String key, String wanted, Config config) {
    ConfigEntry entry = config.get(key);
    String found = entry == null ? "nothing that its brokers say" : entry.value();
    return wanted.equals(found)
        ? Optional.empty()
        : Optional.of(new TopicDifference(topic, key, wanted, found));
  }

  private TopicSettings with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(configs);
    all.putAll(more);
    return new TopicSettings(name, partitions, all, actedOn);
  }
}
