package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.topics.WantedTopics;
import io.sluice.jobs.main.JobDefaults;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.broker.SecuredBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The users of the manifests, each at its work, on a broker that lets them do no more. */
class UserRightsIT {
  private static final String DATASET =
      """
      dataset: small
      sequence-length: 32 tokens
      shuffle-buffer: 20 documents
      held-out: 0.2
      domains: [wiki]
      """;
  private static final String OTHER = DATASET.replace("small", "other");
  private static final String RUN =
      """
      run: velo-small
      dataset: small
      batch: 4 sequences
      initial-weights: uniform
      policy: {velocitune: {every: 5, target-fraction: 0.5}}
      batches: 15
      """;

  @TempDir private Path directory;

  private SecuredBroker broker;

  @BeforeEach
  void startBroker() {
    broker = new SecuredBroker(directory.resolve("broker"), "nobody.");
  }

  @AfterEach
  void stopBroker() {
    broker.close();
  }

  @Test
  void theirRightsAreEnough() throws Exception {
    TestingSluice operator = user("sluice-operator");
    try (TopicAdmin admin = new TopicAdmin(operator.access())) {
      admin.ensureService();
    }
    assertThat(made(operator.access()))
        .isEqualTo(
            new WantedTopics(Topics.standard(), 1)
                .service().stream().collect(Collectors.toMap(NewTopic::name, NewTopic::configs)));
    does(operator, "dataset", "apply", "-f", write("dataset.yaml", DATASET));
    TestingSluice producer = user("sluice-producer-wiki");
    does(producer, "ingest", "--domain", "wiki", "--end", write("wiki.jsonl", documents()));
    KafkaAccess jobs = user("sluice-jobs").access();
    JobClient mix = start("mix", env -> MixJob.build(env, jobs));
    JobClient prepare =
        start(
            "prepare",
            env -> PrepareJob.build(env, jobs, new DatasetCatalog(jobs).require("small")));
    does(operator, "run", "apply", "-f", write("run.yaml", RUN));
    String trained =
        user("sluice-trainer-velo-small")
            .run("trainer", "--run", "velo-small", "--layers", "1", "--width", "16")
            .out();
    assertThat(trained).contains("15");
    TestingSluice observer = user("sluice-observer");
    assertThat(does(observer, "audit", "--run", "velo-small")).contains("60 sequences");
    assertThat(does(observer, "run", "list")).contains("velo-small", "completed");
    assertThat(observer.run("dataset", "apply", "-f", write("other.yaml", OTHER)).err())
        .contains("Kafka lets this client in, but not do this");
    mix.cancel().join();
    prepare.cancel().join();
  }

  /** What a command prints that succeeds; one that takes long says so besides. */
  private static String does(TestingSluice user, String... command) {
    TestingSluice.Said said = user.run(command);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  /** What topics there are have been given, by name. */
  private static Map<String, Map<String, String>> made(KafkaAccess kafka) throws Exception {
    Map<String, Map<String, String>> made = new TreeMap<>();
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      List<ConfigResource> topics =
          admin.listTopics().names().get().stream()
              .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
              .toList();
      admin
          .describeConfigs(topics)
          .all()
          .get()
          .forEach(
              (topic, config) ->
                  made.put(
                      topic.name(),
                      config.entries().stream()
                          .filter(each -> each.source() == ConfigSource.DYNAMIC_TOPIC_CONFIG)
                          .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value))));
    }
    return made;
  }

  private interface Job {
    void addTo(StreamExecutionEnvironment env);
  }

  private JobClient start(String name, Job job) throws Exception {
    Configuration configuration = JobDefaults.of(Duration.ofMillis(200));
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY,
        directory.resolve("checkpoints-" + name).toUri().toString());
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    job.addTo(env);
    return env.executeAsync(name);
  }

  private TestingSluice user(String name) throws IOException {
    Path settings = broker.admit(name, UserRightsTest.of(name).patterns());
    return new TestingSluice(broker.bootstrapServers(), settings, directory.resolve(name));
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  private static String documents() {
    return IntStream.range(0, 400)
        .mapToObj(i -> "{\"text\": \"Article " + i + " says what it says about " + i * i + ".\"}\n")
        .collect(Collectors.joining());
  }
}
