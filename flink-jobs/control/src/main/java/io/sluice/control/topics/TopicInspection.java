package io.sluice.control.topics;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Holds topics as they are against what {@link TopicAdmin} makes them. Changes nothing. */
public final class TopicInspection {
  private final Admin admin;
  private final Topics topics;
  private final Map<String, TopicSettings> wanted = new LinkedHashMap<>();

  /**
   * What came of it.
   *
   * @param topics how many there should be
   * @param missing those that there are not
   * @param differences that make a topic wrong
   * @param weaknesses that make it safe or fast no more than its brokers are
   */
  public record Report(
      int topics,
      List<String> missing,
      List<TopicDifference> differences,
      List<TopicDifference> weaknesses) {
    /** Copies the lists. */
    public Report {
      missing = List.copyOf(missing);
      differences = List.copyOf(differences);
      weaknesses = List.copyOf(weaknesses);
    }
  }

  /** Of the topics that every deployment has. */
  public TopicInspection(Admin admin, Topics topics) {
    this.admin = admin;
    this.topics = topics;
    add(new DeploymentTopics(topics).service());
  }

  /** Names of the topics that every deployment has. */
  public static List<String> serviceTopics(Topics topics) {
    return new DeploymentTopics(topics).service().stream().map(TopicSettings::name).toList();
  }

  /** Names of all topics that a dataset may have, without the corpora, which others read, too. */
  public static List<String> datasetTopics(Topics topics, DatasetSpec dataset) {
    String name = dataset.getName();
    List<String> own = new ArrayList<>();
    own.add(topics.supply(name));
    own.add(topics.releases(name));
    own.add(topics.lineage(name));
    own.add(topics.segments(name));
    for (String domain : dataset.getDomains()) {
      own.add(topics.blocks(name, domain));
      own.add(topics.eval(name, domain));
    }
    return List.copyOf(own);
  }

  /** Names of all topics that a refinery may have, without the corpora. */
  public static List<String> refineryTopics(Topics topics, String refinery) {
    return List.of(topics.refined(refinery), topics.answers(refinery));
  }

  /**
   * The request for a log as the service makes them, for who wants it validated alone.
   *
   * @param brokers of the cluster
   */
  public static NewTopic trial(String name, int brokers) {
    return Durability.of(brokers).creation(TopicSettings.log(name, 1).thatIsActedOn());
  }

  /** Also those of a dataset. */
  public void add(DatasetSpec dataset) {
    add(new DeploymentTopics(topics).dataset(dataset));
  }

  /** Also those of a refinery. */
  public void add(RefineSpec refinery) {
    add(new DeploymentTopics(topics).refinery(refinery));
  }

  /**
   * Also those of a run.
   *
   * @param log the topic that its entries are in
   */
  public void add(RunSpec run, String runId, String log) {
    String own = topics.control(runId);
    add(
        new DeploymentTopics(topics)
            .run(run, runId).stream()
                .filter(topic -> !topic.name().equals(own) || log.equals(own))
                .toList());
  }

  private void add(List<TopicSettings> more) {
    more.forEach(topic -> wanted.put(topic.name(), topic));
  }

  /**
   * Asks the brokers.
   *
   * @throws ExecutionException if they do not answer or refuse; its cause says why
   */
  public Report report() throws ExecutionException, InterruptedException {
    Durability durability = Durability.of(admin.describeCluster().nodes().get().size());
    List<String> missing = new ArrayList<>();
    List<TopicDifference> differences = new ArrayList<>();
    List<TopicDifference> weaknesses = new ArrayList<>();
    List<TopicSettings> all = List.copyOf(wanted.values());
    for (int from = 0; from < all.size(); from += TopicAdmin.AT_ONCE) {
      List<TopicSettings> some = all.subList(from, Math.min(all.size(), from + TopicAdmin.AT_ONCE));
      Map<String, TopicDescription> found = describe(some, missing);
      Map<String, Config> configs = configs(found.keySet());
      for (TopicSettings topic : some) {
        TopicDescription described = found.get(topic.name());
        if (described != null) {
          Config config = Objects.requireNonNull(configs.get(topic.name()));
          topic.differences(described, config).stream()
              .filter(difference -> !isOfEarlierRelease(difference))
              .forEach(differences::add);
          weaknesses.addAll(durability.lacking(topic, described, config));
          if (topic.isTable()) {
            weaknesses.addAll(TableCompaction.differences(topic.name(), config));
          }
          partitions(described, differences, weaknesses);
        }
      }
    }
    return new Report(all.size(), missing, differences, weaknesses);
  }

  /** Feedback had one partition before claims had one of their own, and is read as before. */
  private boolean isOfEarlierRelease(TopicDifference difference) {
    return difference.topic().startsWith(topics.feedback(""))
        && difference.key().equals(TopicSettings.PARTITIONS)
        && difference.found().equals("1");
  }

  private static void partitions(
      TopicDescription topic, List<TopicDifference> differences, List<TopicDifference> weaknesses) {
    for (TopicPartitionInfo partition : topic.partitions()) {
      String of = " of partition " + partition.partition();
      if (partition.leader() == null || partition.leader().isEmpty()) {
        differences.add(new TopicDifference(topic.name(), "a leader" + of, "a broker", "none"));
      } else if (partition.isr().size() < partition.replicas().size()) {
        weaknesses.add(
            new TopicDifference(
                topic.name(),
                "replicas in sync" + of,
                Integer.toString(partition.replicas().size()),
                Integer.toString(partition.isr().size())));
      }
    }
  }

  private Map<String, TopicDescription> describe(List<TopicSettings> some, List<String> missing)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> found = new LinkedHashMap<>();
    Map<String, KafkaFuture<TopicDescription>> described =
        admin.describeTopics(some.stream().map(TopicSettings::name).toList()).topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> each : described.entrySet()) {
      try {
        found.put(each.getKey(), each.getValue().get());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        missing.add(each.getKey());
      }
    }
    return found;
  }

  private Map<String, Config> configs(Collection<String> names)
      throws ExecutionException, InterruptedException {
    List<ConfigResource> resources =
        names.stream().map(n -> new ConfigResource(ConfigResource.Type.TOPIC, n)).toList();
    return admin.describeConfigs(resources).all().get().entrySet().stream()
        .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue));
  }
}
