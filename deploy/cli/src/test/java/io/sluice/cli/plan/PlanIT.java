package io.sluice.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunFile;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.TestingTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans for a broker, each for a deployment of its own. */
class PlanIT {
  private static final String DATASET =
      """
      dataset: small
      sequence-length: 32 tokens
      document-ids: hashes
      store: file:///nowhere
      lanes: 2
      domains: [wiki, A_b]
      """;
  private static final String RUN =
      """
      run: velo
      dataset: small
      batch: 4 sequences
      batches: 10
      initial-weights: uniform
      policy: static
      """;
  private static final String REFINERY =
      """
      refinery: clean
      inputs: [raw]
      domains: clean-{input}
      duplicates: {}
      """;

  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static TestingSluice sluice;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    sluice = new TestingSluice(KafkaAccess.local(broker.bootstrapServers()), directory);
    admin = Admin.create(KafkaAccess.local(broker.bootstrapServers()).with(Map.of()));
    Files.writeString(directory.resolve("dataset.yaml"), DATASET);
    Files.writeString(directory.resolve("run.yaml"), RUN);
    Files.writeString(directory.resolve("refine.yaml"), REFINERY);
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  private static KafkaAccess access(String prefix) {
    return new KafkaAccess(broker.bootstrapServers(), new Topics(prefix), Map.of());
  }

  private static String file(String name) {
    return directory.resolve(name).toString();
  }

  private static JsonNode plan(String prefix, String... files) {
    List<String> command =
        new ArrayList<>(List.of("plan", "--prefix", prefix, "--json", "-", "-f"));
    for (String each : files) {
      command.add(file(each));
    }
    try {
      return sluice.json(command.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void does(String prefix, String... command) {
    List<String> all = new ArrayList<>(List.of("--prefix", prefix));
    all.addAll(List.of(command));
    Said said = sluice.run(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
  }

  /** The topics under a prefix, with partitions, copies and what they were given. */
  private static Map<String, Map<String, String>> made(String prefix) throws Exception {
    Set<String> names = names(prefix);
    Map<String, TopicDescription> described = admin.describeTopics(names).allTopicNames().get();
    Map<String, Map<String, String>> made = new TreeMap<>();
    admin
        .describeConfigs(
            names.stream().map(n -> new ConfigResource(ConfigResource.Type.TOPIC, n)).toList())
        .all()
        .get()
        .forEach(
            (topic, config) -> {
              Map<String, String> settings = new TreeMap<>();
              config.entries().stream()
                  .filter(each -> each.source() == ConfigSource.DYNAMIC_TOPIC_CONFIG)
                  .forEach(each -> settings.put(each.name(), each.value()));
              settings.put("partitions", "" + described.get(topic.name()).partitions().size());
              made.put(topic.name(), settings);
            });
    return made;
  }

  private static Map<String, Map<String, String>> planned(JsonNode plan) {
    Map<String, Map<String, String>> planned = new TreeMap<>();
    for (JsonNode topic : plan.get("topics")) {
      Map<String, String> settings = new TreeMap<>();
      topic
          .get("config")
          .properties()
          .forEach(each -> settings.put(each.getKey(), each.getValue().asText()));
      settings.put("partitions", topic.get("partitions").asText());
      planned.put(topic.get("topic").asText(), settings);
    }
    return planned;
  }

  private static String standing(JsonNode plan, String topic) {
    for (JsonNode each : plan.get("topics")) {
      if (each.get("topic").asText().equals(topic)) {
        return each.get("standing").asText() + " " + each.get("differences");
      }
    }
    throw new AssertionError(topic + " is not planned");
  }

  @Test
  void whatIsPlannedIsWhatIsMade() throws Exception {
    JsonNode before = plan("equal.", "dataset.yaml", "run.yaml", "refine.yaml");
    assertThat(before.get("topics").findValuesAsText("standing")).containsOnly("to be made");
    assertThat(made("equal.")).as("a plan makes nothing").isEmpty();
    does("equal.", "dataset", "apply", "-f", file("dataset.yaml"));
    does("equal.", "refine", "apply", "-f", file("refine.yaml"));
    KafkaAccess access = access("equal.");
    DatasetSpec dataset = new DatasetCatalog(access).require("small");
    RunFile run = RunFile.parse(ConfigFile.parse("run.yaml", RUN), name -> 32);
    try (TopicAdmin topics = new TopicAdmin(access)) {
      topics.ensureRun(
          RunApplication.outline(
              run,
              dataset,
              none -> {
                throw new IllegalStateException(none);
              },
              said -> {}),
          "velo.id");
    }
    Map<String, Map<String, String>> planned = planned(before);
    planned.put("equal.control.velo.id", planned.remove("equal.control.velo.*"));
    assertThat(planned).isEqualTo(made("equal."));
    JsonNode after = plan("equal.", "dataset.yaml", "refine.yaml");
    assertThat(after.get("topics").findValuesAsText("standing")).containsOnly("there");
    assertThat(planned(plan("equal.", "dataset.yaml", "run.yaml", "refine.yaml")))
        .isEqualTo(planned(before));
  }

  @Test
  void plantedDifferencesAreSeen() throws Exception {
    TestingTopics.make(admin, List.of(new NewTopic("other.blocks.small.wiki", 3, (short) 1)));
    JsonNode first = plan("other.", "dataset.yaml");
    assertThat(standing(first, "other.blocks.small.wiki"))
        .startsWith("differs")
        .contains("partitions = 3, wanted 2", "max.message.bytes = ");
    admin.deleteTopics(List.of("other.blocks.small.wiki")).all().get();
    Patience.await(
        Patience.MINUTE,
        () -> names("other."),
        names -> !names.contains("other.blocks.small.wiki"));
    does("other.", "dataset", "apply", "-f", file("dataset.yaml"));
    ConfigResource corpus = new ConfigResource(ConfigResource.Type.TOPIC, "other.corpus.wiki");
    admin
        .incrementalAlterConfigs(
            Map.of(
                corpus,
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("retention.ms", "1000"), AlterConfigOp.OpType.SET))))
        .all()
        .get();
    admin.deleteTopics(List.of("other.eval.small.A_b")).all().get();
    JsonNode seen =
        Patience.await(
            Patience.MINUTE,
            () -> plan("other.", "dataset.yaml"),
            each ->
                standing(each, "other.corpus.wiki").startsWith("differs")
                    && standing(each, "other.eval.small.A_b").startsWith("to be made"));
    assertThat(standing(seen, "other.corpus.wiki")).contains("retention.ms = 1000, wanted -1");
    assertThat(standing(seen, "other.blocks.small.wiki")).startsWith("there");
  }

  private static Set<String> names(String prefix) {
    try {
      return admin.listTopics().names().get().stream()
          .filter(name -> name.startsWith(prefix))
          .collect(Collectors.toSet());
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatApplyingWouldRefuseIsRefused() throws Exception {
    does("refused.", "dataset", "apply", "-f", file("dataset.yaml"));
    Files.writeString(directory.resolve("longer.yaml"), DATASET.replace("32 tokens", "64 tokens"));
    Said said = sluice.run("plan", "--prefix", "refused.", "-f", file("longer.yaml"));
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains("dataset 'small' exists and may only gain domains");
    JsonNode plan = plan("refused.", "run.yaml");
    assertThat(plan.at("/datasets/0/dataset").asText()).isEqualTo("small");
    assertThat(plan.at("/brokers").asInt()).isEqualTo(1);
  }
}
