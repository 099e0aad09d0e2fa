package io.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.cli.loop.Testbed;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds of deployments on one broker, each under a prefix of its own. */
class DoctorIT {
  private static final String DATASET =
      "dataset: data\nsequence-length: 32 tokens\nheld-out: 0.1\ndomains: [prose]\n";
  private static final String RUN =
      "run: healthy\ndataset: data\nbatch: 4 sequences\ninitial-weights: uniform\npolicy: static\n";

  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    sluice = new TestingSluice(KafkaAccess.local(broker.bootstrapServers()), directory);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static KafkaAccess access(String prefix) {
    return new KafkaAccess(broker.bootstrapServers(), new Topics(prefix), Map.of());
  }

  @Test
  void aHealthyServiceHasNoWarning() throws Exception {
    LocalSettings settings =
        LocalSettings.in(directory.resolve("up")).withKafka(access("healthy."));
    try (LocalService service = LocalService.start(settings, event -> {})) {
      does("dataset", "apply", "-f", write("dataset.yaml", DATASET));
      String prose = "{\"text\": \"much ado about nothing in particular\"}\n".repeat(200);
      does("ingest", "--domain", "prose", "--end", write("prose.jsonl", prose));
      does("run", "apply", "-f", write("run.yaml", RUN));
      // What was committed of the topics is written down at a checkpoint.
      Said said =
          Patience.await(
              Patience.MINUTE,
              () -> sluice.run("doctor", "--prefix", "healthy."),
              each -> !each.out().contains("skipped "));
      assertThat(said.err()).isEmpty();
      assertThat(said.exit()).isZero();
      assertThat(said.out().lines()).hasSize(10).allMatch(line -> line.startsWith("ok "));
      assertThat(said.out()).contains("MixJob: it owes no answer", "of run healthy");
    }
  }

  private static void does(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--prefix", "healthy."));
    all.addAll(List.of(arguments));
    Said said = sluice.run(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
  }

  private static String write(String name, String text) throws Exception {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void plantedFaultsAreEachFound() throws Exception {
    KafkaAccess kafka = access("broken.");
    DatasetSpec narrow = new Testbed(kafka, 1).dataset;
    DatasetSpec wide = new Testbed(kafka, 2).dataset;
    try (Admin admin = Admin.create(kafka.with(Map.of()));
        TopicAdmin topics = new TopicAdmin(kafka)) {
      topics.ensureService();
      topics.ensureDataset(narrow);
      new DatasetCatalog(kafka).publish(wide);
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, kafka.topics().corpus("large")),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("retention.ms", "604800000"), AlterConfigOp.OpType.SET))))
          .all()
          .get();
      admin
          .createTopics(
              List.of(
                  new NewTopic(
                      kafka.topics().blocks("gone", "large"), Optional.of(1), Optional.empty())))
          .all()
          .get();
      admin.deleteTopics(List.of(kafka.topics().purges())).all().get();
    }
    Said said = sluice.run("doctor", "--prefix", "broken.", "--json", "-");
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err()).contains("findings are failures");
    JsonNode report = new ObjectMapper().readTree(said.out());
    assertThat(report.path("passed").asBoolean()).isFalse();
    List<String> wrong = new ArrayList<>();
    report
        .path("findings")
        .forEach(
            each -> {
              if (!each.path("help").asText().isEmpty()) {
                wrong.add(each.path("verdict").asText() + " " + each.path("found").asText());
              }
            });
    List<String> expected = new ArrayList<>();
    expected.add("failure broken.purges is missing");
    expected.add(
        "failure topic broken.corpus.large must have retention.ms = -1: it exists with 604800000");
    for (String domain : wide.getDomains()) {
      for (String kind : List.of("blocks", "eval")) {
        expected.add(
            "failure topic broken.%s.data.%s must have partitions = 2: it exists with 1"
                .formatted(kind, domain));
      }
    }
    expected.add("warning broken.blocks.gone.large is nobody's");
    assertThat(wrong).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void aHangingTransactionIsFoundOnceItsTimeIsOver() throws Exception {
    KafkaAccess kafka = access("hanging.");
    Map<String, Object> own =
        Map.of("transactional.id", "hanging.prepare-data.-0-1", "transaction.timeout.ms", 600_000);
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (TopicAdmin topics = new TopicAdmin(kafka);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(kafka.with(own), bytes, bytes)) {
      topics.ensureService();
      topics.ensureCorpus("prose");
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(kafka.topics().corpus("prose"), new byte[] {1})).get();
      assertThat(transactions(kafka, Duration.ZERO))
          .containsExactly(Finding.ok("transactions", "1 open, none for long"));
      assertThat(transactions(kafka, Duration.ofMinutes(10)).get(0).verdict())
          .isEqualTo(Verdict.WARNING);
      assertThat(transactions(kafka, Duration.ofHours(1)))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.FAILURE);
                assertThat(finding.found())
                    .startsWith("hanging.prepare-data.-0-1 is open for 1 h")
                    .contains("in [hanging.corpus.prose]");
              });
      producer.abortTransaction();
    }
    // The brokers write down that it ended before they end it.
    Patience.await(
        Patience.MINUTE,
        () -> transactions(kafka, Duration.ofHours(1)),
        findings -> findings.get(0).verdict() == Verdict.OK);
  }

  private static List<Finding> transactions(KafkaAccess kafka, Duration later) {
    InstantSource clock = InstantSource.offset(InstantSource.system(), later);
    try (Brokers brokers = new Brokers(kafka, Patience.MINUTE)) {
      return new TransactionsCheck(brokers, clock).look();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aMixJobThatDoesNotAnswerACommandIsDead() throws Exception {
    KafkaAccess kafka = access("dead.");
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (TopicAdmin topics = new TopicAdmin(kafka);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(kafka.with(Map.of()), bytes, bytes);
        Brokers brokers = new Brokers(kafka, Patience.MINUTE)) {
      topics.ensureService();
      InstantSource later = InstantSource.offset(InstantSource.system(), Duration.ofMinutes(10));
      MixJobCheck check = new MixJobCheck(brokers, later, Patience.MINUTE);
      assertThat(check.look().get(0).verdict()).isEqualTo(Verdict.SKIPPED);
      producer.send(new ProducerRecord<>(kafka.topics().runs(), new byte[] {1})).get();
      assertThat(check.look())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.FAILURE);
                assertThat(finding.found())
                    .startsWith("it has not read what is in dead.runs for 10 min");
              });
    }
  }

  @Test
  void withoutABrokerTheFirstFindingSaysWhyAndTheOthersAreSkipped() {
    Said said = sluice.run("doctor", "--kafka", "127.0.0.1:1");
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.out().lines())
        .hasSize(10)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("failure  brokers: 127.0.0.1:1: ");
              assertThat(lines.subList(1, 10)).allMatch(line -> line.startsWith("skipped "));
            });
  }
}
