package io.sluice.cli.storage;

import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * What is on the disks of a cluster, as its brokers say. That takes the right to describe the
 * cluster, which no role has: whoever may, sees the topics of all.
 *
 * @param access with the prefix of the topics that are looked at
 */
public record LogDirs(KafkaAccess access) {
  private static final String MILLIS = Long.toString(Duration.ofSeconds(30).toMillis());

  /**
   * Bytes of each topic under the prefix, by its name, those without a log among them.
   *
   * @throws ClusterAuthorizationException if this user may not describe the cluster
   * @throws KafkaException if the brokers refuse, or do not answer in 30 s
   */
  public SortedMap<String, TopicBytes> read() {
    try (Admin admin =
        Admin.create(
            access.with(Map.of("request.timeout.ms", MILLIS, "default.api.timeout.ms", MILLIS)))) {
      return read(admin);
    }
  }

  /** The same by a client of the caller's. */
  SortedMap<String, TopicBytes> read(Admin admin) {
    try {
      SortedMap<String, TopicBytes> topics = new TreeMap<>();
      for (String name : admin.listTopics().names().get()) {
        if (isOurs(name)) {
          topics.put(name, TopicBytes.NONE);
        }
      }
      Map<TopicPartition, TopicBytes> partitions = new HashMap<>();
      List<Integer> brokers = admin.describeCluster().nodes().get().stream().map(Node::id).toList();
      admin
          .describeLogDirs(brokers)
          .allDescriptions()
          .get()
          .values()
          .forEach(dirs -> dirs.values().forEach(dir -> add(dir, partitions)));
      partitions.forEach((place, some) -> topics.merge(place.topic(), some, TopicBytes::plus));
      return topics;
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private boolean isOurs(String topic) {
    return access.topics().mayBeOf(topic);
  }

  private void add(LogDirDescription dir, Map<TopicPartition, TopicBytes> partitions) {
    if (dir.error() != null) {
      throw new KafkaException(
          "a broker cannot read one of its directories: " + dir.error().getMessage(), dir.error());
    }
    for (Map.Entry<TopicPartition, ReplicaInfo> each : dir.replicaInfos().entrySet()) {
      if (isOurs(each.getKey().topic())) {
        long size = each.getValue().size();
        partitions.merge(each.getKey(), new TopicBytes(1, 1, size, size), LogDirs::another);
      }
    }
  }

  /** One more log of the same partition. */
  private static TopicBytes another(TopicBytes one, TopicBytes log) {
    return new TopicBytes(
        1, one.logs() + log.logs(), one.bytes() + log.bytes(), Math.max(one.once(), log.once()));
  }

  private static KafkaException failure(ExecutionException e) {
    if (e.getCause() instanceof ClusterAuthorizationException refusal) {
      return new ClusterAuthorizationException(
          "bytes on disks are for who may Describe the Cluster, and sees the topics of all: "
              + refusal.getMessage());
    }
    return e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
  }
}
