package io.sluice.cli.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.cli.loop.SecuredBed;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  @TempDir private static Path directory;

  private static SecuredBed bed;
  private static TestingSluice operator;

  @BeforeAll
  static void start() throws IOException {
    bed = new SecuredBed(directory, "nobody.");
    operator = user("operator", "operator");
    operator.does("dataset", "apply", "-f", bed.write("dataset.yaml", Testbed.FILE));
    bed.startJobs(user("job", "job").access());
    new Testbed(bed.owner().access()).fill();
  }

  @AfterAll
  static void stop() {
    bed.close();
  }

  /** A user with the rights of a role, given as a person gives them. */
  private static TestingSluice user(String name, String role, String... options)
      throws IOException {
    Path settings = bed.broker().admit(name, List.of());
    List<String> command = new ArrayList<>(List.of("rights", role, "--user", name));
    command.addAll(List.of(options));
    command.add("--apply");
    assertThat(bed.owner().does(command.toArray(String[]::new))).contains(name + " may do what ");
    return bed.user(settings);
  }

  @Test
  void aTrainerTrainsOnItsRunAndOnNoOther() throws IOException {
    RunInfo own = bed.applied(operator, "own");
    RunInfo other = bed.applied(operator, "other");
    TestingSluice user = user("trainer-own", "trainer", "--run", "own");
    Said trained = user.run("trainer", "--run", "own", "--layers", "1", "--width", "16");
    assertThat(trained.out()).as(trained.err()).contains("done: trained steps 1 to 30,");
    assertThat(operator.does("audit", "--run", "own")).contains("480 sequences checked");
    assertThat(user.run("doctor", "--role", "trainer", "--run", "own").out())
        .contains("ok       rights: this user has those of trainer, as far as brokers say");
    assertThat(user.run("doctor", "--role", "trainer", "--run", "other").err())
        .contains("where this user may not see it, --dataset says what it mixes");
    Said others = user.run("doctor", "--role", "trainer", "--run", "other", "--dataset", "data");
    assertThat(others.out())
        .as(others.err())
        .contains("rights: this user may not", "topic sluice.stream.other, which a trainer needs");
    KafkaAccess trainer = user.access();
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
        Testbed.FILE
            .replace("dataset: data", "dataset: more")
            .replace("large, medium, small", "live");
    operator.does("dataset", "apply", "-f", bed.write("second.yaml", second));
    TestingSluice producer = user("producer-live", "producer", "--domain", "live");
    String more = bed.write("more.jsonl", "{\"text\": \"one more document\"}\n");
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
    bed.applied(operator, "seen");
    TestingSluice observer = user("observer", "observer");
    for (List<String> command :
        List.of(
            List.of("run", "list"),
            List.of("run", "show", "seen"),
            List.of("dataset", "show", "data"),
            List.of("domain", "list"),
            List.of("deadletter", "list"),
            List.of("audit", "--run", "seen"))) {
      Said answer = observer.run(command.toArray(String[]::new));
      assertThat(answer.exit()).as("%s: %s", command, answer.err()).isZero();
    }
    String again = bed.run("again");
    for (List<String> command :
        List.of(
            List.of("run", "apply", "-f", again),
            List.of("run", "delete", "seen"),
            List.of("run", "weights", "seen", "--set", "large=1", "--pin"),
            List.of("rights", "observer", "--user", "observer", "--apply"))) {
      Said answer = observer.run(command.toArray(String[]::new));
      assertThat(answer.exit()).as("%s: %s", command, answer.err()).isEqualTo(3);
      assertThat(answer.err())
          .as("%s", command)
          .contains("'sluice rights ROLE' says what each role needs")
          .doesNotContain("processor=");
    }
    refusesToWrite(observer.access(), observer.access().topics().runs());
  }

  /** Its settings among them, such as how soon tables are compacted. */
  @Test
  void anOperatorMakesEveryTopicAsItMustBe() {
    assertThat(operator.run("doctor").out().lines())
        .anyMatch(line -> line.startsWith("ok       rights: "))
        .anyMatch(line -> line.startsWith("ok       topics: "))
        .noneMatch(line -> line.startsWith("failure"));
  }

  @Test
  void theJobsMakeAndDeleteNoTopics() throws Exception {
    KafkaAccess job = bed.user(bed.broker().admit("job", List.of())).access();
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
}
