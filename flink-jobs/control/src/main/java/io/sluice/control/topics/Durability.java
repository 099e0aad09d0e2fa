package io.sluice.control.topics;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What keeps the records of a new topic when brokers lose power. Three brokers or more keep each
 * record three times, and two have it before it counts as written; fewer keep what their default
 * says. What somebody acts on is on a single broker's disk before anybody reads it.
 *
 * @param replicas of each partition; empty for the brokers' default
 * @param single whether no other broker has what one loses
 */
record Durability(Optional<Short> replicas, boolean single) {
  private static final short REPLICAS = 3;

  /** What so many brokers allow. */
  static Durability of(int brokers) {
    return new Durability(
        brokers >= REPLICAS ? Optional.of(REPLICAS) : Optional.empty(), brokers == 1);
  }

  /** The request for a topic. A topic that exists may have been made with less. */
  NewTopic creation(TopicSettings topic) {
    Map<String, String> configs = new HashMap<>(topic.configs());
    if (replicas.isPresent()) {
      configs.put("min.insync.replicas", "2");
    }
    if (single && topic.actedOn()) {
      configs.put("flush.messages", "1");
    }
    return new NewTopic(topic.name(), Optional.of(topic.partitions()), replicas).configs(configs);
  }
}
