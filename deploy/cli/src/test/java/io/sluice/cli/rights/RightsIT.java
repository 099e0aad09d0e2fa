package io.sluice.cli.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import io.sluice.service.Patience;
import io.sluice.service.broker.SecuredBroker;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each role does its work with the rights that it is given, and is refused all else. */
class RightsIT {
  private static final String DATASET =
      """
      dataset: data
      sequence-length: 32 tokens
      shuffle-buffer: 100 documents
      held-out: 0.1
      domains: [large, medium, small]
      """;
  private static final String RUN =
      """
      run: %s
      dataset: data
      batch: 16 sequences
      batches: 30
      initial-weights: uniform
      policy: {velocitune: {every: 10, target-fraction: 0.5}}
      """;

  @TempDir private static Path directory;

  private static SecuredBroker broker;
  private static TestingSluice owner;
  private static TestingSluice operator;
  private static LocalService jobs;
  private static final List<String> said = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    broker = new SecuredBroker(directory.resolve("broker"), "nobody.");
    owner = new TestingSluice(KafkaAccess.local(broker.inside()), directory);
    operator = user("operator", "operator");
    assertThat(operator.run("dataset", "apply", "-f", write("dataset.yaml", DATASET)).exit())
        .isZero();
    KafkaAccess job = user("job", "job").access();
    jobs = LocalService.start(LocalSettings.in(directory.resolve("up")).withKafka(job), said::add);
    new Testbed(KafkaAccess.local(broker.inside())).fill();
  }

  @AfterAll
  static void stop() {
    jobs.close();
    broker.close();
  }

  /** A user with the rights of a role, given as a person gives them. */
  private static TestingSluice user(String name, String role, String... options)
      throws IOException {
    Path settings = broker.admit(name, Map.of());
    List<String> command = new ArrayList<>(List.of("rights", role, "--user", name));
    command.addAll(List.of(options));
    command.add("--apply");
    assertThat(owner.does(command.toArray(String[]::new))).contains(name + " may do what ");
    return new TestingSluice(broker.bootstrapServers(), settings, directory);
  }

  private static String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private static RunInfo applied(String run) throws IOException {
    Said answer = operator.run("run", "apply", "-f", write(run + ".yaml", RUN.formatted(run)));
    assertThat(answer.exit()).as(answer.err()).isZero();
    return RunDirectory.find(operator.access(), run, Patience.MINUTE);
  }

  @Test
  void aTrainerTrainsOnItsRunAndOnNoOther() throws IOException {
    RunInfo own = applied("own");
    RunInfo other = applied("other");
    KafkaAccess trainer = user("trainer-own", "trainer", "--run", "own").access();
    try (ScriptedTrainer training =
        new ScriptedTrainer(trainer, RunDirectory.find(trainer, "own", Patience.MINUTE))) {
      training.train(30, 10, RightsIT::losses);
    }
    assertThat(operator.does("audit", "--run", "own")).contains("480 sequences checked");
    assertThatThrownBy(() -> Loader.open(trainer, other, StreamOptions.defaults()).close())
        .isInstanceOf(AuthorizationException.class);
    refusesToRead(trainer, trainer.topics().corpus("large"));
    refusesToRead(trainer, trainer.topics().blocks("data", "large"));
    refusesToWrite(trainer, trainer.topics().stream("own"));
    refusesToWrite(trainer, trainer.topics().control(own.runId()));
    refusesToWrite(trainer, trainer.topics().feedback("other"));
    refusesToWrite(trainer, trainer.topics().runs());
  }

  @Test
  void aProducerFillsItsDomainAndNoOther() throws IOException {
    String second =
        DATASET.replace("dataset: data", "dataset: more").replace("large, medium, small", "live");
    assertThat(operator.run("dataset", "apply", "-f", write("second.yaml", second)).exit())
        .isZero();
    TestingSluice producer = user("producer-live", "producer", "--domain", "live");
    String more = write("more.jsonl", "{\"text\": \"one more document\"}\n");
    Said answer = producer.run("ingest", "--domain", "live", more);
    assertThat(answer.exit()).as(answer.err()).isZero();
    Said refused = producer.run("ingest", "--domain", "large", more);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err())
        .contains("Kafka lets this client in, but not do this", "sluice.corpus.large");
    Said made = producer.run("ingest", "--domain", "unheard", "--create", more);
    assertThat(made.exit()).as(made.err()).isEqualTo(3);
    assertThat(made.err()).contains("sluice.corpus.unheard");
    refusesToRead(producer.access(), producer.access().topics().blocks("more", "live"));
    refusesToWrite(producer.access(), producer.access().topics().datasets());
  }

  @Test
  void anObserverSeesEverythingAndChangesNothing() throws IOException {
    applied("seen");
    TestingSluice observer = user("observer", "observer");
    for (List<String> command :
        List.of(
            List.of("run", "list"),
            List.of("run", "show", "seen"),
            List.of("dataset", "show", "data"),
            List.of("domain", "list"),
            List.of("deadletter", "list"))) {
      Said answer = observer.run(command.toArray(String[]::new));
      assertThat(answer.exit()).as("%s: %s", command, answer.err()).isZero();
    }
    String again = write("again.yaml", RUN.formatted("again"));
    for (List<String> command :
        List.of(
            List.of("run", "apply", "-f", again),
            List.of("run", "delete", "seen"),
            List.of("run", "weights", "seen", "--set", "large=1", "--pin"))) {
      Said answer = observer.run(command.toArray(String[]::new));
      assertThat(answer.exit()).as("%s: %s", command, answer.err()).isEqualTo(3);
    }
    refusesToWrite(observer.access(), observer.access().topics().runs());
  }

  @Test
  void theJobsMakeAndDeleteNoTopics() throws Exception {
    KafkaAccess job =
        new TestingSluice(broker.bootstrapServers(), broker.admit("job", Map.of()), directory)
            .access();
    try (Admin admin = Admin.create(job.with(Map.of()))) {
      assertThatThrownBy(
              () ->
                  admin
                      .createTopics(List.of(new NewTopic("sluice.made", 1, (short) 1)))
                      .all()
                      .get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TopicAuthorizationException.class);
    }
    refusesToWrite(job, "elsewhere");
  }

  private static void refusesToRead(KafkaAccess access, String topic) {
    try (TopicReader reader = TopicReader.committed(access)) {
      assertThatThrownBy(() -> reader.catchUp(topic, Patience.MINUTE, record -> {}))
          .isInstanceOf(AuthorizationException.class);
    }
  }

  private static void refusesToWrite(KafkaAccess access, String topic) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      assertThatThrownBy(() -> producer.send(new ProducerRecord<>(topic, new byte[1])).get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(AuthorizationException.class);
    }
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
