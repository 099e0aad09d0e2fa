package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What 'sluice plan' prints for Kubernetes is what the manifests have. */
class PlannedManifestsTest {
  private static final String DATASET = "dataset: %s\nsequence-length: 32 tokens\ndomains: [%s]\n";
  private static final String RUN =
      "run: %s\n"
          + "dataset: %s\n"
          + "batch: 4 sequences\n"
          + "batches: 9\n"
          + "initial-weights: uniform\n"
          + "policy: static\n";

  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(directory.resolve("dataset.yaml"), DATASET.formatted("small", "wiki"));
    Files.writeString(directory.resolve("run.yaml"), RUN.formatted("velo-small", "small"));
    Files.writeString(directory.resolve("upper.yaml"), DATASET.formatted("A_b", "C_d"));
    Files.writeString(directory.resolve("Run.yaml"), RUN.formatted("E_f", "A_b"));
    Files.writeString(
        directory.resolve("refine.yaml"),
        "refinery: clean\ninputs: [raw]\ndomains: clean-{input}\nduplicates: {}\n");
  }

  private List<ObjectNode> planned(String form, String value, String... files) {
    List<String> command = new ArrayList<>(List.of("plan", "--offline", form, value, "-f"));
    for (String file : files) {
      command.add(directory.resolve(file).toString());
    }
    Said said =
        new TestingSluice(KafkaAccess.local("localhost:1"), directory)
            .run(command.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    List<ObjectNode> documents = Manifests.parse(said.out());
    assertThat(documents)
        .isNotEmpty()
        .allSatisfy(
            document -> assertThat(Kinds.problem(document)).as(Manifests.name(document)).isEmpty());
    return documents;
  }

  private static Map<String, ObjectNode> byName(List<ObjectNode> documents, String kind) {
    Map<String, ObjectNode> byName = new TreeMap<>();
    documents.stream()
        .filter(document -> Manifests.kind(document).equals(kind))
        .forEach(document -> byName.put(Manifests.name(document), document));
    return byName;
  }

  @Test
  void topicsOfTheServiceAreThoseOfTheManifests() {
    Map<String, ObjectNode> planned =
        byName(planned("--strimzi", "sluice", "dataset.yaml", "run.yaml"), "KafkaTopic");
    Map<String, ObjectNode> written =
        byName(Manifests.of("production", "KafkaTopic"), "KafkaTopic");
    assertThat(planned)
        .containsKeys("sluice.blocks.small.wiki", "sluice.stream.velo-small")
        .containsKeys(written.keySet().toArray(String[]::new));
    written.forEach(
        (name, topic) ->
            assertThat(planned.get(name).get("spec")).as(name).isEqualTo(topic.get("spec")));
  }

  @Test
  void usersHaveTheRightsOfThoseOfTheManifests() {
    Map<String, ObjectNode> planned =
        byName(planned("--strimzi", "sluice", "dataset.yaml", "run.yaml"), "KafkaUser");
    assertThat(planned)
        .containsOnlyKeys(
            "sluice-jobs", "sluice-operator", "sluice-producer-wiki", "sluice-trainer-velo-small");
    planned.forEach(
        (name, user) ->
            assertThat(Rights.of(user).patterns())
                .as(name)
                .isEqualTo(UserRightsTest.of(name).patterns()));
  }

  @Test
  void jobsAreThoseOfTheManifests() {
    Map<String, ObjectNode> planned =
        byName(
            planned("--flink", "s3://sluice-state", "dataset.yaml", "run.yaml"), "FlinkDeployment");
    Map<String, ObjectNode> written = new TreeMap<>();
    byName(Manifests.of("dev", "FlinkDeployment"), "FlinkDeployment")
        .forEach((name, job) -> written.put(name, withoutWhatIsDevs(job)));
    assertThat(planned).isEqualTo(written);
    ObjectNode other = planned.get("sluice-mix");
    ((ObjectNode) other.at("/spec/job")).put("parallelism", 3);
    assertThat(planned).isNotEqualTo(written);
  }

  /** Another state, no volume for it, no namespace, and no version. */
  private static ObjectNode withoutWhatIsDevs(ObjectNode job) {
    ObjectNode flink = (ObjectNode) job.at("/spec/flinkConfiguration");
    flink.put("high-availability.storageDir", "s3://sluice-state/ha");
    flink.put("execution.checkpointing.dir", "s3://sluice-state/checkpoints");
    flink.put("execution.checkpointing.savepoint-dir", "s3://sluice-state/savepoints");
    ((ObjectNode) job.get("metadata")).remove("namespace");
    ((ObjectNode) job.get("spec")).put("image", "sluice-jobs");
    removeNamed((ArrayNode) job.at("/spec/podTemplate/spec/volumes"), "state");
    removeNamed((ArrayNode) job.at("/spec/podTemplate/spec/containers/0/volumeMounts"), "state");
    return job;
  }

  private static void removeNamed(ArrayNode list, String name) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).path("name").asText().equals(name)) {
        list.remove(i);
      }
    }
  }

  @Test
  void namesThatKubernetesRefusesAreOthersThere() {
    List<ObjectNode> planned = planned("--strimzi", "sluice", "upper.yaml", "Run.yaml");
    assertThat(planned)
        .allSatisfy(
            document ->
                assertThat(Manifests.name(document)).matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?"));
    Map<String, ObjectNode> topics = byName(planned, "KafkaTopic");
    List<String> names = topics.values().stream().map(TopicsTest::topicName).toList();
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains("sluice.corpus.C_d", "sluice.blocks.A_b.C_d", "sluice.stream.E_f")
        .noneMatch(name -> name.contains("*"));
    List<ObjectNode> jobs = planned("--flink", "s3://b/s", "upper.yaml", "Run.yaml");
    assertThat(jobs.get(1).at("/metadata/name").asText()).matches("sluice-prepare-a-b-[0-9a-f]{8}");
    assertThat(Manifests.texts(jobs.get(1).at("/spec/job/args"))).contains("--dataset=A_b");
  }

  @Test
  void jobsTakeTheirArguments() {
    List<ObjectNode> jobs =
        planned("--flink", "file:/shared", "dataset.yaml", "run.yaml", "refine.yaml");
    assertThat(jobs).hasSize(3);
    for (ObjectNode job : jobs) {
      assertThat(Arguments.problemOfJob(Manifests.texts(job.at("/spec/job/args")))).isEmpty();
      Map<String, String> flink = Manifests.settings(job.at("/spec/flinkConfiguration"));
      assertThat(FlinkConfigurationTest.problems(flink)).isEmpty();
    }
    assertThat(Manifests.texts(jobs.get(2).at("/spec/job/args")))
        .startsWith("refine")
        .contains("--refinery=clean");
    JsonNode kafka = jobs.get(0).at("/spec/podTemplate/spec/volumes/2/projected/sources/2");
    assertThat(kafka.at("/secret/name").asText()).isEqualTo("sluice-jobs");
  }
}
