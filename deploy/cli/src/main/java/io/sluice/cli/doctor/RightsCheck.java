package io.sluice.cli.doctor;

import io.sluice.control.topics.TopicInspection;
import io.sluice.jobs.mix.reweight.ControlPlane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Whether this user may do what the jobs and the commands do, as far as brokers say. */
record RightsCheck(Brokers brokers) implements Check {
  /** In the place of names that begin with the prefix; nothing of it is made. */
  private static final String PROBE = "doctor";

  private static final Set<AclOperation> TOPICS =
      Set.of(
          AclOperation.READ,
          AclOperation.WRITE,
          AclOperation.DELETE,
          AclOperation.DESCRIBE,
          AclOperation.DESCRIBE_CONFIGS);

  /** Without it tables are compacted as the brokers' defaults have it. */
  private static final Set<AclOperation> WISHED = Set.of(AclOperation.ALTER_CONFIGS);

  private static final Set<AclOperation> GROUPS = Set.of(AclOperation.READ, AclOperation.DESCRIBE);

  /** What is asked of the brokers. */
  private interface Question {
    KafkaFuture<?> ask();
  }

  @Override
  public String name() {
    return "rights";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    List<Finding> findings = new ArrayList<>();
    String probe = brokers.topics().prefix() + PROBE;
    creation(probe).ifPresent(findings::add);
    refused(
            () -> brokers.admin().describeTransactions(List.of(probe)).description(probe),
            TransactionalIdNotFoundException.class)
        .ifPresent(why -> findings.add(lacking("write in transactions: " + why)));
    findings.addAll(topics());
    findings.addAll(group());
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              name(),
              "this user has those that are needed, as far as can be asked without a change"));
    }
    return findings;
  }

  /**
   * What is said of the request for a topic like those of the service, which is validated alone.
   */
  private Optional<Finding> creation(String probe) throws ExecutionException, InterruptedException {
    int nodes = brokers.admin().describeCluster().nodes().get().size();
    NewTopic topic = TopicInspection.trial(probe, nodes);
    CreateTopicsOptions validated = new CreateTopicsOptions().validateOnly(true);
    try {
      return refused(
              () -> brokers.admin().createTopics(List.of(topic), validated).all(),
              TopicExistsException.class)
          .map(why -> lacking("make topics: " + why));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof PolicyViolationException
          || e.getCause() instanceof InvalidConfigurationException
          || e.getCause() instanceof InvalidReplicationFactorException) {
        return Optional.of(
            Finding.failure(
                name(),
                "the brokers do not take a topic as the service makes them: "
                    + e.getCause().getMessage(),
                "their create.topic.policy must allow " + topic.configs()));
      }
      throw e;
    }
  }

  /** Why the brokers refuse something; empty if they do not. */
  private static Optional<String> refused(Question question, Class<? extends ApiException> passed)
      throws ExecutionException, InterruptedException {
    try {
      question.ask().get();
      return Optional.empty();
    } catch (ExecutionException e) {
      if (passed.isInstance(e.getCause())) {
        return Optional.empty();
      }
      if (e.getCause() instanceof AuthorizationException refusal) {
        return Optional.of(String.valueOf(refusal.getMessage()));
      }
      throw e;
    }
  }

  private List<Finding> topics() throws ExecutionException, InterruptedException {
    List<Finding> findings = new ArrayList<>();
    for (KafkaFuture<TopicDescription> each :
        brokers
            .admin()
            .describeTopics(
                TopicInspection.serviceTopics(brokers.topics()),
                new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues()
            .values()) {
      try {
        TopicDescription topic = each.get();
        findings.addAll(ofTopic(topic.name(), topic.authorizedOperations()));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AuthorizationException refusal) {
          return List.of(lacking("see the service's topics: " + refusal.getMessage()));
        } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return findings;
  }

  /**
   * What is said of the operations that brokers allow on a topic.
   *
   * @param allowed null where they do not say
   */
  List<Finding> ofTopic(String topic, @Nullable Collection<AclOperation> allowed) {
    List<Finding> findings = new ArrayList<>();
    missing(TOPICS, allowed)
        .ifPresent(operations -> findings.add(lacking(operations + " topic " + topic)));
    missing(WISHED, allowed)
        .ifPresent(
            operations ->
                findings.add(
                    Finding.warning(
                        name(),
                        "this user may not %s topic %s: a table is compacted as its brokers please"
                            .formatted(operations, topic),
                        help())));
    return findings;
  }

  private List<Finding> group() throws ExecutionException, InterruptedException {
    String group = ControlPlane.group(brokers.topics());
    try {
      Set<AclOperation> allowed =
          brokers
              .admin()
              .describeConsumerGroups(
                  List.of(group),
                  new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true))
              .all()
              .get()
              .values()
              .iterator()
              .next()
              .authorizedOperations();
      return missing(GROUPS, allowed)
          .map(operations -> List.of(lacking(operations + " group " + group)))
          .orElse(List.of());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException refusal) {
        return List.of(lacking("be in groups: " + refusal.getMessage()));
      }
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return List.of();
      }
      throw e;
    }
  }

  private static Optional<String> missing(
      Set<AclOperation> needed, @Nullable Collection<AclOperation> allowed) {
    if (allowed == null) {
      return Optional.empty(); // These brokers do not say.
    }
    Set<String> missing = new TreeSet<>();
    needed.stream()
        .filter(each -> !allowed.contains(each))
        .forEach(each -> missing.add(each.name()));
    return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing));
  }

  private Finding lacking(String what) {
    return Finding.failure(name(), "this user may not " + what, help());
  }

  private String help() {
    return "give it all operations on topics, groups and transactional ids that begin with '"
        + brokers.topics().prefix()
        + "', as 'kafka-acls.sh --resource-pattern-type prefixed' does";
  }
}
