package io.sluice.lab.manifest;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.rights.Right;
import io.sluice.control.rights.Role;
import io.sluice.control.topics.WantedTopics;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/**
 * Each user of Kafka may do what its work needs, and no more, among the topics of two datasets, two
 * domains and two runs whose names begin alike.
 */
class UserRightsTest {
  private static final Topics T = Topics.standard();
  private static final String DATASET = "small";
  private static final String DOMAIN = "wiki";
  private static final String RUN = "velo-small";
  private static final String LOG = T.control(RUN + ".x1");

  private static final Set<String> SERVICE =
      new WantedTopics(T, 3).service().stream().map(NewTopic::name).collect(Collectors.toSet());

  private static final Set<String> ALL =
      union(
          SERVICE,
          Stream.of(DOMAIN, DOMAIN + "2").map(T::corpus),
          Stream.of(DATASET, DATASET + "2").flatMap(UserRightsTest::ofDataset),
          Stream.of(T.segments(DATASET), T.segments(DATASET + "2")),
          Stream.of(RUN, RUN + "2").flatMap(run -> Stream.of(T.stream(run), T.feedback(run))),
          Stream.of(LOG, T.control(RUN + "2.x1")));

  /** 'sluice rights' gives the same elsewhere. */
  @Test
  void everyUserHasTheRightsOfItsRole() {
    Map<String, Role> roles =
        Map.of(
            "sluice-jobs", new Role.Job(),
            "sluice-operator", new Role.Operator(),
            "sluice-observer", new Role.Observer(),
            "sluice-producer-wiki", new Role.Producer(DOMAIN),
            "sluice-trainer-velo-small", new Role.Trainer(RUN, DATASET));
    roles.forEach(
        (user, role) ->
            assertThat(of(user).patterns()).as(user).isEqualTo(patterns(role.rights(T))));
  }

  private static Map<ResourcePattern, Set<AclOperation>> patterns(List<Right> rights) {
    return rights.stream()
        .collect(
            Collectors.toMap(
                right -> new ResourcePattern(right.type(), right.name(), right.pattern()),
                right -> Set.copyOf(right.operations())));
  }

  @Test
  void theJobsWriteWhatTheyMakeAndCreateNothing() {
    Rights rights = of("sluice-jobs");
    assertThat(rights.topics(READ, ALL)).isEqualTo(ALL);
    Set<String> others = new TreeSet<>(ALL);
    others.removeAll(rights.topics(WRITE, ALL));
    assertThat(others)
        .isEqualTo(
            union(
                Set.of(T.datasets(), T.tokenizers(), T.ingested(), T.sets(), T.purges()),
                Stream.of(T.refineries(), T.feedback(RUN), T.feedback(RUN + "2"))));
    assertThat(rights.topics(DELETE, ALL))
        .isEqualTo(union(Set.of(), Stream.of(RUN, RUN + "2").map(T::stream)));
    assertThat(rights.topics(CREATE, ALL)).isEmpty();
    assertThat(rights.topics(ALTER_CONFIGS, ALL)).isEmpty();
  }

  @Test
  void operatorsDoAllUnderThePrefixAndNothingBeyond() {
    Rights rights = of("sluice-operator");
    for (AclOperation operation : List.of(CREATE, DELETE, READ, WRITE, DESCRIBE_CONFIGS)) {
      assertThat(rights.topics(operation, ALL)).as(operation.toString()).isEqualTo(ALL);
    }
    assertThat(rights.allow(READ, GROUP, T.prefix() + "purge")).isTrue();
    assertThat(rights.allow(WRITE, TRANSACTIONAL_ID, T.prefix() + "indexer." + DATASET)).isTrue();
    assertThat(rights.allow(READ, TOPIC, "others")).isFalse();
  }

  @Test
  void observersReadAndDoNothingElse() {
    Rights rights = of("sluice-observer");
    assertThat(rights.topics(READ, ALL)).isEqualTo(ALL);
    for (AclOperation operation : List.of(CREATE, DELETE, WRITE, ALTER_CONFIGS)) {
      assertThat(rights.topics(operation, ALL)).as(operation.toString()).isEmpty();
    }
  }

  @Test
  void trainersWriteTheFeedbackOfTheirRunAlone() {
    Rights rights = of("sluice-trainer-velo-small");
    assertThat(rights.topics(WRITE, ALL)).containsExactly(T.feedback(RUN));
    assertThat(rights.topics(READ, ALL))
        .isEqualTo(
            union(
                Set.of(T.datasets(), T.tokenizers(), T.sets(), T.status(), T.control()),
                Stream.of(DOMAIN, DOMAIN + "2").map(domain -> T.eval(DATASET, domain)),
                Stream.of(
                    T.supply(DATASET), T.segments(DATASET), LOG, T.stream(RUN), T.feedback(RUN))));
    assertThat(rights.topics(CREATE, ALL)).isEmpty();
    assertThat(rights.topics(DELETE, ALL)).isEmpty();
  }

  @Test
  void producersWriteTheCorpusOfTheirDomainAlone() {
    Rights rights = of("sluice-producer-wiki");
    assertThat(rights.topics(WRITE, ALL))
        .isEqualTo(Set.of(T.corpus(DOMAIN), T.ingested(), T.deadLetters()));
    assertThat(rights.topics(READ, ALL))
        .isEqualTo(
            Set.of(
                T.corpus(DOMAIN),
                T.ingested(),
                T.datasets(),
                T.tokenizers(),
                T.purges(),
                T.refineries(),
                T.supply(DATASET),
                T.supply(DATASET + "2")));
    assertThat(rights.topics(CREATE, ALL)).isEmpty();
    assertThat(rights.topics(DELETE, ALL)).isEmpty();
  }

  @Test
  void nobodyHasRightsOfTheClusterOrBeyondThePrefix() {
    assertThat(Manifests.of("production", "KafkaUser"))
        .hasSize(5)
        .allSatisfy(
            user -> {
              assertThat(user.at("/spec/authentication/type").asText()).isEqualTo("tls");
              assertThat(Rights.of(user).rules())
                  .isNotEmpty()
                  .allSatisfy(
                      rule -> {
                        assertThat(rule.name()).startsWith(T.prefix());
                        assertThat(rule.type()).isNotEqualTo(ResourceType.CLUSTER);
                        assertThat(rule.given()).doesNotContain(AclOperation.ALL);
                      });
            });
  }

  @Test
  void aRightTooMuchOrTooLittleIsFound() {
    ObjectNode trainer = user("sluice-trainer-velo-small");
    ((ObjectNode) trainer.at("/spec/authorization/acls/2/resource")).put("patternType", "prefix");
    assertThat(Rights.of(trainer).topics(WRITE, ALL))
        .containsExactly(T.feedback(RUN), T.feedback(RUN + "2"));
    ObjectNode jobs = user("sluice-jobs");
    ((ObjectNode) jobs.at("/spec/authorization/acls/1/resource")).put("name", "sluice.controls");
    assertThat(Rights.of(jobs).topics(WRITE, ALL)).doesNotContain(T.control(), LOG);
  }

  static Rights of(String name) {
    return Rights.of(user(name));
  }

  private static ObjectNode user(String name) {
    return Manifests.of("production", "KafkaUser").stream()
        .filter(user -> Manifests.name(user).equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> ofDataset(String dataset) {
    return Stream.concat(
        Stream.of(T.supply(dataset), T.releases(dataset), T.lineage(dataset)),
        Stream.of(DOMAIN, DOMAIN + "2")
            .flatMap(domain -> Stream.of(T.blocks(dataset, domain), T.eval(dataset, domain))));
  }

  @SafeVarargs
  private static Set<String> union(Set<String> first, Stream<String>... others) {
    Set<String> all = new TreeSet<>(first);
    for (Stream<String> other : others) {
      other.forEach(all::add);
    }
    return all;
  }
}
