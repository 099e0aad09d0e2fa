package io.sluice.control.topics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;

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
  private static final String IN_SYNC = "min.insync.replicas";
  private static final int LEAST_IN_SYNC = 2;
  private static final String FLUSH = "flush.messages";

  /** What so many brokers allow. */
  static Durability of(int brokers) {
    return new Durability(
        brokers >= REPLICAS ? Optional.of(REPLICAS) : Optional.empty(), brokers == 1);
  }

  /** The request for a topic. A topic that exists may have been made with less. */
  NewTopic creation(TopicSettings topic) {
    Map<String, String> configs = new HashMap<>(topic.configs());
    if (replicas.isPresent()) {
      configs.put(IN_SYNC, Integer.toString(LEAST_IN_SYNC));
    }
    if (single && topic.actedOn()) {
      configs.put(FLUSH, "1");
    }
    return new NewTopic(topic.name(), Optional.of(topic.partitions()), replicas).configs(configs);
  }

  /** What a topic that exists was made with less of. */
  List<TopicDifference> lacking(TopicSettings topic, TopicDescription found, Config config) {
    List<TopicDifference> lacking = new ArrayList<>();
    if (replicas.isPresent()) {
      int fewest =
          found.partitions().stream().mapToInt(each -> each.replicas().size()).min().orElse(0);
      if (fewest < REPLICAS) {
        lacking.add(
            new TopicDifference(
                topic.name(), "replicas", Short.toString(REPLICAS), Integer.toString(fewest)));
      }
      TopicSettings.compare(topic.name(), IN_SYNC, Integer.toString(LEAST_IN_SYNC), config)
          .filter(difference -> difference.found().equals("1"))
          .ifPresent(lacking::add);
    }
    if (single && topic.actedOn()) {
      TopicSettings.compare(topic.name(), FLUSH, "1", config).ifPresent(lacking::add);
    }
    return lacking;
  }
}
