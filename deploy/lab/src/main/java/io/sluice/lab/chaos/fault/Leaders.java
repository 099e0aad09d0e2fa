package io.sluice.lab.chaos.fault;

import io.sluice.control.error.Answers;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Who leads the partitions of a cluster. */
public final class Leaders {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Leaders() {}

  /**
   * Has each partition that another broker could lead be led by one.
   *
   * @return how many partitions that was asked of
   */
  public static int change(KafkaAccess kafka, Random random) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      Map<TopicPartition, Optional<NewPartitionReassignment>> orders = orders(admin, random);
      Answers.await(
          admin.alterPartitionReassignments(orders).all(), PATIENCE, "ordering the replicas");
      Answers.await(
          admin.electLeaders(ElectionType.PREFERRED, Set.copyOf(orders.keySet())).partitions(),
          PATIENCE,
          "electing leaders");
      return orders.size();
    }
  }

  /** The same replicas, in another order: the first one is the one to lead. */
  private static Map<TopicPartition, Optional<NewPartitionReassignment>> orders(
      Admin admin, Random random) {
    Map<TopicPartition, Optional<NewPartitionReassignment>> orders = new HashMap<>();
    Set<String> names =
        Answers.await(
            admin.listTopics(new ListTopicsOptions().listInternal(true)).names(),
            PATIENCE,
            "listing the topics");
    for (TopicDescription topic :
        Answers.await(
                admin.describeTopics(names).allTopicNames(), PATIENCE, "describing the topics")
            .values()) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        List<Integer> others = others(partition);
        if (!others.isEmpty()) {
          List<Integer> order =
              new ArrayList<>(partition.replicas().stream().map(Node::id).toList());
          Integer first = others.get(random.nextInt(others.size()));
          order.remove(first);
          order.add(0, first);
          orders.put(
              new TopicPartition(topic.name(), partition.partition()),
              Optional.of(new NewPartitionReassignment(order)));
        }
      }
    }
    return orders;
  }

  /** Those that have all records and do not lead. */
  private static List<Integer> others(TopicPartitionInfo partition) {
    Node leader = partition.leader();
    return partition.isr().stream()
        .map(Node::id)
        .filter(id -> leader != null && id != leader.id())
        .toList();
  }
}
