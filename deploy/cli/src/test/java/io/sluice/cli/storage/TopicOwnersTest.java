package io.sluice.cli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.loop.Testbed;
import io.sluice.control.history.RunStart;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TopicOwnersTest {
  private static final Topics TOPICS = Topics.standard();
  private static final DatasetSpec DATA = new Testbed(KafkaAccess.local("a:1")).dataset;

  @Test
  void topicsOfDatasetsRunsAndDomainsAreOwned() {
    List<String> names = new ArrayList<>(TopicInspection.serviceTopics(TOPICS));
    names.addAll(
        List.of(
            TOPICS.corpus("unprepared"),
            TOPICS.blocks("data", "large"),
            TOPICS.eval("data", "small"),
            TOPICS.supply("data"),
            TOPICS.releases("data"),
            TOPICS.purging(TOPICS.blocks("data", "large")),
            TOPICS.control("live.1"),
            TOPICS.stream("live"),
            TOPICS.feedback("live")));
    assertThat(orphans(names)).isEmpty();
  }

  @Test
  void whatIsLeftOfOthersIsNobodys() {
    List<String> left =
        List.of(
            TOPICS.blocks("data", "none"),
            TOPICS.control("gone.1"),
            "sluice.corpus.a.b",
            "sluice.else",
            TOPICS.feedback("gone"),
            TOPICS.purging(TOPICS.blocks("other", "large")),
            TOPICS.stream("gone"),
            TOPICS.supply("other"));
    assertThat(orphans(left)).containsExactlyElementsOf(new TreeSet<>(left));
  }

  @Test
  void aDeploymentBelowThePrefixIsAnothers() {
    Topics below = new Topics("sluice.team.");
    assertThat(orphans(List.of(below.datasets(), below.runs(), below.stream("x")))).isEmpty();
    assertThat(orphans(List.of(below.datasets(), below.stream("x"))))
        .containsExactly(below.datasets(), below.stream("x"));
  }

  @Test
  void eachTopicHasOneOwner() {
    Topics below = new Topics("sluice.team.");
    List<String> names =
        List.of(
            TOPICS.datasets(),
            TOPICS.corpus("large"),
            TOPICS.purging(TOPICS.corpus("large")),
            TOPICS.eval("data", "large"),
            TOPICS.stream("live"),
            TOPICS.stream("gone"),
            below.datasets(),
            below.runs());
    assertThat(owners(names))
        .isEqualTo(
            Map.of(
                TOPICS.datasets(), Owner.SERVICE,
                TOPICS.corpus("large"), new Owner(Owner.Kind.DOMAIN, "large"),
                TOPICS.purging(TOPICS.corpus("large")), new Owner(Owner.Kind.DOMAIN, "large"),
                TOPICS.eval("data", "large"), new Owner(Owner.Kind.DATASET, "data"),
                TOPICS.stream("live"), new Owner(Owner.Kind.RUN, "live"),
                TOPICS.stream("gone"), Owner.NOBODY,
                below.datasets(), new Owner(Owner.Kind.DEPLOYMENT, "sluice.team."),
                below.runs(), new Owner(Owner.Kind.DEPLOYMENT, "sluice.team.")));
  }

  private static List<String> orphans(List<String> names) {
    return owners(names).entrySet().stream()
        .filter(each -> each.getValue().equals(Owner.NOBODY))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Map<String, Owner> owners(List<String> names) {
    Deployment deployment =
        new Deployment(
            new TreeSet<>(names),
            List.of(DATA),
            List.of(),
            List.of(run("live", "running"), run("gone", "deleted")));
    return new TopicOwners(TOPICS, deployment).of(names);
  }

  private static RunCatalog.Entry run(String name, String phase) {
    RunStatus status =
        RunStatus.newBuilder()
            .setRunId(name + ".1")
            .setRun(name)
            .setPhase(phase)
            .setTimeline(0)
            .setGranted(0)
            .setProgress(0)
            .setWeightsVersion(1)
            .setWaiting("")
            .setTimeMillis(1)
            .build();
    return new RunCatalog.Entry(
        name + ".1",
        Optional.of(new RunStart(name + ".1", name, TOPICS.control(name + ".1"), 0, 1)),
        Optional.of(status),
        Optional.empty(),
        Map.of());
  }
}
