package io.sluice.control.topics;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.MissingTopicException;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates and deletes the deployment's topics with exactly the settings that correctness needs, and
 * {@link Durability} as the brokers allow. Creating is idempotent; a topic that exists with other
 * settings is refused rather than changed. Only how soon tables are compacted is asked for ({@link
 * TableCompaction}). Every method throws {@link KafkaUnreachableException} when no broker answers
 * in time.
 */
public final class TopicAdmin implements AutoCloseable {
  /** Topics in one request: a controller refuses more than some 10,000 records of metadata. */
  static final int AT_ONCE = 500;

  /** Largest record of a corpus topic: one document. */
  public static final int DOCUMENT_BYTES = 64 << 20;

  /** Largest record of block, held-out and stream topics: one block with its document ids. */
  public static final int BLOCK_BYTES = 16 << 20;

  private static final Duration WAIT = Duration.ofSeconds(15);

  private final KafkaAccess kafka;
  private final Topics topics;
  private final DeploymentTopics wanted;
  private final Duration wait;
  private final Admin admin;

  /** An admin that waits 15 s for the broker. */
  public TopicAdmin(KafkaAccess kafka) {
    this(kafka, WAIT);
  }

  /**
   * An admin that waits as given.
   *
   * @param wait how long each call may take
   * @throws KafkaException if no client can be made from the settings; its cause says why
   */
  public TopicAdmin(KafkaAccess kafka, Duration wait) {
    this.kafka = kafka;
    this.topics = kafka.topics();
    this.wanted = new DeploymentTopics(topics);
    this.wait = wait;
    String millis = Long.toString(wait.toMillis());
    try {
      this.admin =
          Admin.create(
              kafka.with(Map.of("request.timeout.ms", millis, "default.api.timeout.ms", millis)));
    } catch (KafkaException e) {
      // Of all settings only this one depends on what can be reached.
      if (e.getCause() instanceof ConfigException unresolved
          && String.valueOf(unresolved.getMessage()).contains("bootstrap")) {
        throw new KafkaUnreachableException(kafka.bootstrapServers(), wait, unresolved);
      }
      throw e;
    }
  }

  /** Creates the topics that every deployment has, of which a user may be allowed but some. */
  public void ensureService() {
    // Datasets of another prefix may be others' to make.
    wanted.service().stream()
        .collect(Collectors.partitioningBy(topic -> topic.name().startsWith(topics.prefix())))
        .values()
        .stream()
        .filter(some -> !some.isEmpty())
        .forEach(this::ensureOrSee);
  }

  private void ensureOrSee(List<TopicSettings> service) {
    try {
      ensure(service);
    } catch (TopicAuthorizationException e) {
      List<TopicSettings> seen = service.stream().filter(this::isSeen).toList();
      if (seen.isEmpty()) {
        throw e;
      }
      ensure(seen);
    }
  }

  private boolean isSeen(TopicSettings topic) {
    try {
      return find(topic.name()).isPresent();
    } catch (TopicAuthorizationException e) {
      return false;
    }
  }

  /** Creates the topic of sets of documents, which an earlier release did not make. */
  public void ensureSets() {
    ensure(List.of(wanted.sets()));
  }

  /** Creates the table of purges, which an earlier release did not make. */
  public void ensurePurges() {
    ensure(List.of(wanted.purges()));
  }

  /**
   * Creates the corpus topic of a domain.
   *
   * @return Kafka's id of it
   */
  public String ensureCorpus(String domain) {
    Map<String, TopicDescription> found = ensureAtOnce(List.of(wanted.corpus(domain)));
    return Objects.requireNonNull(found.get(topics.corpus(domain))).topicId().toString();
  }

  /**
   * Creates a dataset's topics: corpus, blocks and held-out blocks of each domain, supply, what is
   * decided while it is prepared, lineage where blocks have hashes of ids, and segments where it
   * has a store.
   *
   * @throws IllegalStateException also if these brokers could tear a transaction of blocks
   */
  public void ensureDataset(DatasetSpec spec) {
    requireWholeTransactions();
    ensure(wanted.dataset(spec));
  }

  /**
   * Creates a refinery's topics: the corpora of its inputs and of the domains that it writes, and
   * that of what it decides.
   *
   * @throws IllegalStateException also if these brokers could tear a transaction of documents
   */
  public void ensureRefinery(RefineSpec spec) {
    requireWholeTransactions();
    ensure(wanted.refinery(spec));
  }

  /**
   * Creates a run's feedback topic, the topic of its control log and, if it has one, its stream.
   *
   * @return Kafka's id of the stream topic; '' without one
   */
  public String ensureRun(RunSpec spec, String runId) {
    String stream = topics.stream(spec.getRun());
    TopicDescription found = ensureAtOnce(wanted.run(spec, runId)).get(stream);
    return found == null ? "" : found.topicId().toString();
  }

  /**
   * Checks that a topic is there.
   *
   * @throws MissingTopicException if it is not
   */
  public void require(String topic) {
    if (find(topic).isEmpty()) {
      throw new MissingTopicException(topic);
    }
  }

  /** What is said of any topic; empty if there is none of that name. */
  public Optional<TopicDescription> find(String topic) {
    KafkaFuture<TopicDescription> described =
        Objects.requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
    try {
      return Optional.of(get(described));
    } catch (UnknownTopicOrPartitionException e) {
      return Optional.empty();
    } catch (TopicAuthorizationException e) {
      throw new TopicAuthorizationException(
          "topic " + topic + ": " + e.getMessage(), Set.of(topic));
    }
  }

  /** Deletes a run's stream and feedback topics, and then its control log, where they exist. */
  public void deleteRun(String run, String runId) {
    delete(List.of(topics.stream(run), topics.feedback(run)));
    deleteLog(runId);
  }

  /** Deletes a dataset's own topics where they exist; the corpora of its domains stay. */
  public void deleteDataset(DatasetSpec spec) {
    List<String> own = TopicInspection.datasetTopics(topics, spec);
    for (int from = 0; from < own.size(); from += AT_ONCE) {
      delete(own.subList(from, Math.min(own.size(), from + AT_ONCE)));
    }
  }

  /** Deletes the topics of a refinery that exist. */
  public void deleteRefinery(String name) {
    delete(TopicInspection.refineryTopics(topics, name));
  }

  /** Deletes the corpus of a domain where it exists. */
  public void deleteCorpus(String domain) {
    delete(List.of(topics.corpus(domain)));
  }

  /** Deletes the records of a partition before an offset. */
  public void deleteBefore(TopicPartition partition, long offset) {
    get(admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset))).all());
  }

  /** Deletes the control log of a run that never started, or has nothing else left. */
  public void deleteLog(String runId) {
    delete(List.of(topics.control(runId)));
  }

  private void delete(List<String> names) {
    admin
        .deleteTopics(names)
        .topicNameValues()
        .values()
        .forEach(deleted -> await(deleted, UnknownTopicOrPartitionException.class));
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }

  private void requireWholeTransactions() {
    try {
      TransactionVersion.require(TransactionVersion.of(admin));
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private void ensure(List<TopicSettings> all) {
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      ensureAtOnce(all.subList(from, Math.min(all.size(), from + AT_ONCE)));
    }
  }

  private Map<String, TopicDescription> ensureAtOnce(List<TopicSettings> all) {
    if (!kafka.createsTopics()) {
      return present(all);
    }
    Durability durability = Durability.of(get(admin.describeCluster().nodes()).size());
    List<NewTopic> creations = all.stream().map(durability::creation).toList();
    admin.createTopics(creations).values().forEach(this::awaitCreated);
    Map<String, TopicDescription> found = describe(all.stream().map(TopicSettings::name).toList());
    Map<String, Config> configs = configs(found.keySet());
    for (TopicSettings topic : all) {
      requireSame(
          topic,
          Objects.requireNonNull(found.get(topic.name())),
          Objects.requireNonNull(configs.get(topic.name())));
    }
    configs.keySet().retainAll(tables(all));
    TableCompaction.ask(admin, configs);
    return found;
  }

  /** Topics that others make; whether they are as they must be, {@link TopicInspection} says. */
  private Map<String, TopicDescription> present(List<TopicSettings> all) {
    Map<String, TopicDescription> found = new HashMap<>();
    admin
        .describeTopics(all.stream().map(TopicSettings::name).toList())
        .topicNameValues()
        .forEach(
            (name, described) -> {
              try {
                found.put(name, get(described));
              } catch (UnknownTopicOrPartitionException e) {
                throw new BadInputException(
                    "topic "
                        + name
                        + " must be there, since --no-create-topics leaves it to others: 'sluice"
                        + " plan' prints what makes it, for Kafka's commands or for Strimzi");
              }
            });
    return found;
  }

  private static List<String> tables(List<TopicSettings> all) {
    return all.stream().filter(TopicSettings::isTable).map(TopicSettings::name).toList();
  }

  /** Descriptions of topics that may just have been made, when their leaders are ready. */
  private Map<String, TopicDescription> describe(Collection<String> names) {
    try {
      return TopicLeaders.await(admin, names, wait);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private Map<String, Config> configs(Collection<String> names) {
    List<ConfigResource> resources =
        names.stream().map(n -> new ConfigResource(ConfigResource.Type.TOPIC, n)).toList();
    return get(admin.describeConfigs(resources).all()).entrySet().stream()
        .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue));
  }

  private static void requireSame(TopicSettings wanted, TopicDescription found, Config configs) {
    wanted.differences(found, configs).stream()
        .findFirst()
        .ifPresent(
            difference -> {
              throw new IllegalStateException(difference.toString());
            });
  }

  /** Who may make no topics goes on with those that are there. */
  private void awaitCreated(String topic, KafkaFuture<Void> created) {
    try {
      await(created, TopicExistsException.class);
    } catch (TopicAuthorizationException e) {
      if (find(topic).isEmpty()) {
        throw new TopicAuthorizationException(
            "topic " + topic + " must be there: this user may not make it", Set.of(topic));
      }
    }
  }

  private void await(KafkaFuture<Void> change, Class<? extends KafkaException> tolerated) {
    try {
      get(change);
    } catch (KafkaException e) {
      if (!tolerated.isInstance(e)) {
        throw e;
      }
    }
  }

  private <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private RuntimeException failure(ExecutionException e) {
    if (e.getCause() instanceof TimeoutException timeout) {
      return new KafkaUnreachableException(kafka.bootstrapServers(), wait, timeout);
    }
    return e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
  }
}
