package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.SecretWatch;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.client.error.FeedbackLostException;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.broker.SecuredBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole loop on a broker that asks for a password over TLS and limits its user to a prefix. */
class SecuredBrokerIT {
  private static final String WRONG = "wrong-password";

  @TempDir private static Path directory;

  private static SecuredBed bed;
  private static SecuredBroker broker;
  private static SecretWatch logs;
  private static TestingSluice sluice;
  private static KafkaAccess kafka;
  private static RunInfo run;

  @BeforeAll
  static void start() throws IOException {
    bed = new SecuredBed(directory, "sluice.");
    broker = bed.broker();
    logs = new SecretWatch(broker.password());
    sluice = bed.user(broker.clientSettings());
    kafka = sluice.access();
    bed.startJobs(kafka);
    say("dataset", "apply", "-f", bed.write("dataset.yaml", Testbed.FILE));
    Testbed documents = new Testbed(kafka);
    documents.ingest("large", 1000, true);
    documents.ingest("medium", 600, true);
    StringBuilder small = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      small.append("{\"text\": \"small document ").append(i).append("\"}\n");
    }
    say("ingest", "--domain", "small", "--end", bed.write("small.jsonl", small.toString()));
    run = bed.applied(sluice, "secured");
  }

  @AfterAll
  static void stop() {
    bed.close();
    logs.close();
  }

  @Test
  void theWholeLoopRunsAndNobodyTellsThePassword() throws IOException {
    try (ScriptedTrainer trainer = new ScriptedTrainer(kafka, run)) {
      trainer.train(30, 10, SecuredBrokerIT::losses);
      assertThat(trainer.sequences(0, 30).values().stream().mapToInt(i -> i).sum()).isEqualTo(480);
    }
    assertThat(say("audit", "--run", "secured")).contains("480");
    assertThat(say("run", "show", "secured")).contains("secured");
    assertThat(say("run", "list")).contains("secured");
    assertThat(say("cat", "--run", "secured", "-n", "1")).contains("document");
    assertThat(bed.said()).noneMatch(line -> line.contains(broker.password()));
    assertThat(kafka.toString()).doesNotContain(broker.password());
    assertThat(logs.looked()).isGreaterThan(100);
    assertThat(logs.told()).isEmpty();
  }

  @Test
  void aWrongPasswordIsNamedByEveryCommandAndPrintedByNone() throws IOException {
    TestingSluice wrong = bed.user(broker.clientSettings("wrong.properties", WRONG, Map.of()));
    String file = bed.run("again");
    String text = bed.write("text.jsonl", "{\"text\": \"a\"}\n");
    for (List<String> command :
        List.of(
            List.of("run", "list"),
            List.of("run", "apply", "-f", file),
            List.of("run", "rewind", "secured", "--to-batch", "1"),
            List.of("dataset", "list"),
            List.of("ingest", "--domain", "small", text),
            List.of("audit", "--run", "secured"),
            List.of("cat", "--run", "secured"),
            List.of("trainer", "--run", "secured"),
            List.of("up", "--state-dir", directory.resolve("refused").toString()))) {
      Said answer = wrong.run(command.toArray(String[]::new));
      assertThat(answer.err())
          .as("%s", command)
          .contains("Kafka at " + broker.bootstrapServers() + " refuses this client")
          .contains("invalid credentials with SASL mechanism SCRAM-SHA-512")
          .contains("--kafka-config")
          .doesNotContain(WRONG);
      assertThat(answer.exit()).as("%s", command).isEqualTo(3);
    }
  }

  @Test
  void aWrongPasswordIsATypedErrorOfEveryClient() throws IOException {
    KafkaAccess wrong =
        bed.user(broker.clientSettings("wrong.properties", WRONG, Map.of())).access();
    String reason = "invalid credentials with SASL mechanism SCRAM-SHA-512";
    assertThatThrownBy(() -> RunDirectory.find(wrong, "secured", Duration.ofSeconds(20)))
        .isInstanceOf(SaslAuthenticationException.class)
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> Loader.open(wrong, run, StreamOptions.defaults()).close())
        .isInstanceOf(SaslAuthenticationException.class)
        .hasMessageContaining(reason);
    try (FeedbackReporter reporter =
        FeedbackReporter.open(wrong, run, Reporter.single(), InstantSource.system())) {
      reporter.publish(
          Measurement.evalLoss(1, 1, "nonce", Map.of("large", new Measurement.Total(1, 1))));
      assertThatThrownBy(reporter::flush)
          .isInstanceOf(FeedbackLostException.class)
          .hasMessageContaining(reason)
          .hasMessageNotContaining(WRONG);
    }
    try (TopicAdmin admin = new TopicAdmin(wrong)) {
      assertThatThrownBy(admin::ensureService)
          .isInstanceOf(SaslAuthenticationException.class)
          .hasMessageContaining(reason);
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsNamed() throws IOException {
    Path settings =
        broker.clientSettings(
            "untrusting.properties",
            broker.password(),
            Map.of("ssl.truststore.location", "", "ssl.truststore.type", ""));
    Said answer = bed.user(settings).run("run", "list");
    assertThat(answer.exit()).isEqualTo(3);
    assertThat(answer.err()).contains("SSL handshake failed");
    assertThatThrownBy(
            () -> RunDirectory.find(bed.user(settings).access(), "secured", Duration.ofSeconds(20)))
        .isInstanceOf(SslAuthenticationException.class);
  }

  @Test
  void aCertificateOfAnotherNameIsRefused() throws IOException {
    String other = broker.bootstrapServers().replace("127.0.0.1", "localhost");
    Said answer = new TestingSluice(other, broker.clientSettings(), directory).run("run", "list");
    assertThat(answer.exit()).isEqualTo(3);
    assertThat(answer.err()).contains("SSL handshake failed", "No name matching localhost found");
  }

  @Test
  void whoDoesNotKnowThatTheListenerSpeaksTlsIsTold() {
    Said answer =
        new TestingSluice(KafkaAccess.local(broker.bootstrapServers()), directory)
            .run("run", "list");
    assertThat(answer.exit()).isEqualTo(3);
    assertThat(answer.err())
        .contains(broker.bootstrapServers())
        .contains("a listener with TLS needs security.protocol in --kafka-config");
  }

  @Test
  void settingsThatNoClientCanBeMadeFromAreBadInput() throws IOException {
    String lost = directory.resolve("none.pem").toString();
    String open = "an.Other required password=\"" + broker.password() + "\"";
    for (Map.Entry<Map<String, String>, String> unusable :
        Map.of(
                Map.of("ssl.truststore.location", lost),
                lost,
                Map.of("sasl.jaas.config", open),
                "JAAS config entry not terminated by semi-colon")
            .entrySet()) {
      Path settings =
          broker.clientSettings("unusable.properties", broker.password(), unusable.getKey());
      for (String command : List.of("run", "dataset")) {
        Said answer = bed.user(settings).run(command, "list");
        assertThat(answer.err())
            .contains("Kafka's settings, of which --kafka-config gives some, are not usable")
            .contains(unusable.getValue())
            .doesNotContain(broker.password());
        assertThat(answer.exit()).isEqualTo(2);
      }
    }
  }

  @Test
  void pythonReadsTheSameFile() throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    bed.applied(sluice, "python");
    String printed = python("python", broker.clientSettings());
    assertThat(new ObjectMapper().readTree(printed)).hasSize(30);
    assertThat(say("audit", "--run", "python")).contains("480 sequences checked");
    Path wrong = broker.clientSettings("wrong.properties", WRONG, Map.of());
    assertThatThrownBy(() -> python("python", wrong))
        .hasMessageContaining(
            "KafkaRefused: Kafka at " + broker.bootstrapServers() + " refuses this client")
        .hasMessageContaining("invalid credentials with SASL mechanism SCRAM-SHA-512")
        .hasMessageNotContaining(WRONG);
  }

  private static String python(String run, Path settings) throws IOException {
    return TestingPython.live(
        "scripted.py",
        List.of(
            "--bootstrap",
            broker.bootstrapServers(),
            "--run",
            run,
            "--kafka-config",
            settings.toString()));
  }

  @Test
  void theDoctorSeesWhatTheUserMayDoAndSkipsWhatItMayNotAsk() throws IOException {
    assertThat(say("doctor").lines())
        .noneMatch(line -> line.startsWith("failure"))
        .anyMatch(line -> line.startsWith("ok       rights: "))
        .anyMatch(line -> line.startsWith("ok       topics: "))
        .anyMatch(line -> line.startsWith("skipped  clocks: this user may not ask"));
    Said other = sluice.run("doctor", "--prefix", "other.");
    assertThat(other.exit()).isEqualTo(1);
    assertThat(other.out())
        .contains("failure  rights: this user may not make topics: ")
        .contains("transactional ids that begin with 'other.'");
    Said wrong = bed.user(broker.clientSettings("wrong.properties", WRONG, Map.of())).run("doctor");
    assertThat(wrong.exit()).isEqualTo(1);
    assertThat(wrong.out())
        .contains("failure  brokers: the brokers refuse this client: ", "--kafka-config")
        .doesNotContain(WRONG);
  }

  @Test
  void anotherTeamsPrefixIsClosedToIt() {
    try (TopicAdmin admin =
        new TopicAdmin(
            new KafkaAccess(kafka.bootstrapServers(), new Topics("other."), kafka.properties()))) {
      assertThatThrownBy(admin::ensureService).isInstanceOf(TopicAuthorizationException.class);
    }
  }

  private static String say(String... arguments) {
    Said answer = sluice.run(arguments);
    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(answer.out() + answer.err()).doesNotContain(broker.password());
    return answer.out();
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
