package io.sluice.cli.forget.purge;

import io.sluice.control.error.Answers;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.TopicLeaders;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics that are made like others, and deleted. */
final class TopicTwins implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 100;

  private final Admin admin;

  TopicTwins(KafkaAccess access) {
    this.admin = Admin.create(access.with(Map.of("default.api.timeout.ms", 60_000)));
  }

  /** Kafka's id of a topic; empty if there is none of that name. */
  Optional<String> id(String topic) {
    return describe(topic).map(found -> found.topicId().toString());
  }

  /** The partitions of a topic that exists. */
  List<TopicPartition> partitions(String topic) {
    return describe(topic).orElseThrow().partitions().stream()
        .map(each -> new TopicPartition(topic, each.partition()))
        .toList();
  }

  /** Where a partition ends, open transactions included. */
  long end(TopicPartition partition) {
    return await(
            admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition),
            "asking where " + partition + " ends")
        .offset();
  }

  /** Makes a topic with the partitions, replicas and settings of another, unless it is there. */
  void make(String like, String topic) {
    if (describe(topic).isPresent()) {
      return;
    }
    TopicDescription model =
        describe(like).orElseThrow(() -> new CheckFailedException("topic does not exist: " + like));
    int partitions = model.partitions().size();
    short replicas = (short) model.partitions().get(0).replicas().size();
    await(
        admin
            .createTopics(
                List.of(new NewTopic(topic, partitions, replicas).configs(settings(like))))
            .all(),
        "making " + topic);
    try {
      TopicLeaders.await(admin, List.of(topic), PATIENCE);
    } catch (ExecutionException e) {
      throw new UnreachableException("making " + topic + " failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("making " + topic + " was interrupted", e);
    }
  }

  /** Makes a topic anew, empty. */
  void makeAnew(String like, String topic) {
    delete(topic);
    make(like, topic);
  }

  /** Deletes a topic, if it is there, and returns once nobody is told of it any more. */
  void delete(String topic) {
    if (describe(topic).isEmpty()) {
      return;
    }
    await(admin.deleteTopics(List.of(topic)).all(), "deleting " + topic);
    long since = System.nanoTime();
    while (describe(topic).isPresent()) {
      if (System.nanoTime() - since > PATIENCE.toNanos()) {
        throw new UnreachableException(topic + " was deleted, and is still there");
      }
      pause();
    }
  }

  /** Those settings of a topic that are its own. */
  private Map<String, String> settings(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Config found =
        Objects.requireNonNull(
            await(
                    admin.describeConfigs(List.of(resource)).all(),
                    "asking for the settings of " + topic)
                .get(resource));
    Map<String, String> own = new HashMap<>();
    Stream<ConfigEntry> all = found.entries().stream();
    all.filter(entry -> entry.source() == ConfigSource.DYNAMIC_TOPIC_CONFIG)
        .forEach(entry -> own.put(entry.name(), entry.value()));
    return own;
  }

  private Optional<TopicDescription> describe(String topic) {
    KafkaFuture<TopicDescription> described =
        Objects.requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
    try {
      return Optional.of(await(described, "asking for " + topic));
    } catch (UnreachableException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static <T> T await(KafkaFuture<T> answer, String what) {
    return Answers.await(answer.toCompletionStage().toCompletableFuture(), PATIENCE, what);
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while a topic was deleted", e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
