package io.sluice.cli.forget.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.control.domain.DocumentId;
import io.sluice.control.history.TopicScan;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Purge;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who meets a purge that is under way or has ended. */
class PurgeWorkIT {
  @TempDir private static Path directory;
  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
    sluice = new TestingSluice(kafka, directory);
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensurePurges();
    }
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDocumentThatComesBehindTheComparisonIsCopiedToo(boolean copyIsThere) throws Exception {
    String domain = "late-" + copyIsThere;
    ingest(domain, "a", "b");
    try (PurgeLease lease = PurgeLease.take(kafka);
        TopicTwins twins = new TopicTwins(kafka)) {
      PurgeWork work = work(domain, Set.of("a", "d"), lease, twins);
      Purge copied = work.copy(work.begin(List.of("some")));
      writeDirectly(domain, "c", "d");
      if (!copyIsThere) {
        twins.delete(kafka.topics().purging(kafka.topics().corpus(domain)));
      }
      Purge replaced = work.replace(copied);
      assertThat(work.look(replaced))
          .containsExactly(
              new PurgeWork.Found(kafka.topics().corpus(domain), 4, 0, Set.of(0L, 3L)));
      work.end(replaced);
    }
    assertThat(corpus(domain)).containsExactly("purged a", "b", "c", "purged d");
  }

  @Test
  void whoeverWritesOrReadsWhatIsPurgedIsRefusedAndNobodyElse() throws Exception {
    ingest("held", "a");
    String letters = documents("letters", "long");
    sluice.run("ingest", "--domain=held", "--max-document=4", letters);
    sluice.does("dataset", "apply", "-f", dataset("data", "held"));
    Purge purge =
        new Purge(
            "1",
            Purges.COPYING,
            List.of("s"),
            List.of("held"),
            List.of("data"),
            List.of(),
            List.of(),
            0L);
    new Purges(kafka).say(purge);
    for (String[] each :
        List.of(
            new String[] {"ingest", "--domain", "held", documents("more", "b")},
            new String[] {"ingest", "--domain", "held", "--by-reference", documents("more", "b")},
            new String[] {"dataset", "apply", "-f", dataset("data", "held")},
            new String[] {"dataset", "apply", "-f", dataset("other", "held")})) {
      TestingSluice.Said said = sluice.run(each);
      assertThat(said.exit()).as(String.join(" ", each)).isEqualTo(2);
      assertThat(said.err())
          .containsPattern("'(held|data)' are being purged: wait for its end, or");
    }
    TestingSluice.Said retry =
        sluice.run("deadletter", "retry", "--domain", "held", "--max-document=1k");
    assertThat(retry.exit()).isEqualTo(1);
    assertThat(retry.out())
        .contains("documents of domain 'held' are being purged", "dead letters: 1 refused");
    TestingSluice.Said run = sluice.run("run", "apply", "-f", run("data"));
    assertThat(run.err()).contains("documents of dataset 'data' are being purged");
    assertThat(run.exit()).isEqualTo(2);
    ingest("free", "a");
    sluice.does("dataset", "apply", "-f", dataset("third", "free"));
    assertThat(corpus("held")).containsExactly("a");

    new Purges(kafka).say(Purge.newBuilder(purge).setPhase(Purges.DONE).build());
    assertThat(sluice.run("deadletter", "retry", "--domain=held", "--max-document=1k").out())
        .contains("1 taken");
    assertThat(corpus("held")).containsExactly("a", "long");
  }

  @Test
  void aPurgeThatWasKilledWhileATopicIsAwayGoesOnAndNothingIsSaidToBeUnknown() throws Exception {
    ingest("away", "a", "b");
    String forget = write("away.tsv", "away\tb\n");
    sluice.does("forget", forget);
    try (PurgeLease lease = PurgeLease.take(kafka);
        TopicTwins twins = new TopicTwins(kafka)) {
      PurgeWork work = work("away", Set.of("b"), lease, twins);
      String set =
          DocumentHashes.of(new TreeMap<>(Map.of("away", Set.of(DocumentKey.of("away", "b")))))
              .get(0)
              .name();
      Purge copied = work.copy(work.begin(List.of(set)));
      new Purges(kafka).say(Purge.newBuilder(copied).setPhase(Purges.REPLACING).build());
      twins.delete(kafka.topics().corpus("away"));
    }
    assertThat(sluice.run("domain", "list").err())
        .contains("documents of domains [away] are being purged (replacing, as of ");
    assertThat(sluice.run("forget", forget, "--look-up").out()).doesNotContain("unknown");

    TestingSluice.Said said = sluice.run("forget", forget, "--purge", "--jobs-stopped");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(corpus("away")).containsExactly("a", "purged b");
  }

  @Test
  void whatIsInAStoreIsNotSaidToBePurged() throws Exception {
    ingest("stored", "a");
    Path file = Path.of(dataset("sealed", "stored"));
    Files.writeString(file, Files.readString(file) + "store: file://" + directory + "/store\n");
    sluice.does("dataset", "apply", "-f", file.toString());
    TestingSluice.Said said =
        sluice.run("forget", write("stored.tsv", "stored\ta\n"), "--purge", "--jobs-stopped");
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains("dataset 'sealed' has store file://");
    assertThat(corpus("stored")).containsExactly("a");
  }

  @Test
  void filesOfATopicThatWasReplacedAreKnown() throws Exception {
    ingest("known", "a", "b", "c");
    String forget = write("forget.tsv", "known\tb\n");
    TestingSluice.Said said = sluice.run("forget", forget, "--purge", "--jobs-stopped");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(sluice.run("ingest", "--domain", "known", documents("known", "a", "b", "c")).out())
        .contains("0 documents", "3 known");
    assertThat(corpus("known")).containsExactly("a", "purged b", "c");
  }

  private static PurgeWork work(
      String domain, Set<String> documents, PurgeLease lease, TopicTwins twins) {
    TreeMap<String, Set<String>> ids = new TreeMap<>();
    ids.put(domain, documents);
    PurgeTopics topics =
        new PurgeTopics(
            kafka.topics(),
            ids,
            List.of(),
            (dataset, name) -> {
              throw new IllegalStateException("no dataset");
            });
    return new PurgeWork(kafka, topics, twins, lease, step -> {});
  }

  /** What a corpus has, by the documents' ids. */
  private static List<String> corpus(String domain) {
    List<String> ids = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            SpecificRecordBase.class,
            kafka.topics().corpus(domain),
            each ->
                ids.add(
                    (each instanceof PurgedDocument ? "purged " : "")
                        + DocumentId.ofOneThatWas(each).orElseThrow()));
    return ids;
  }

  /** As whoever writes without asking anybody. */
  private static void writeDirectly(String domain, String... ids) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (String id : ids) {
        Document document =
            Document.newBuilder()
                .setId(id)
                .setText("text of " + id)
                .setOrigin("generated")
                .setProperties(Map.of())
                .build();
        String topic = kafka.topics().corpus(domain);
        producer.send(new ProducerRecord<>(topic, 0, null, WireCodec.encode(document))).get();
      }
    }
  }

  private static void ingest(String domain, String... ids) throws IOException {
    sluice.does("ingest", "--create", "--domain", domain, documents(domain, ids));
  }

  private static String documents(String name, String... ids) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String id : ids) {
      lines.append("{\"id\": \"%s\", \"text\": \"text of %s\"}\n".formatted(id, id));
    }
    return write(name + ".jsonl", lines.toString());
  }

  private static String dataset(String name, String domain) throws IOException {
    return write(
        name + ".yaml",
        "dataset: %s\ntokenizer: bytes\nsequence-length: 64\ndomains: [%s]\n"
            .formatted(name, domain));
  }

  private static String run(String dataset) throws IOException {
    return write(
        "run.yaml",
        "run: any\ndataset: %s\nbatch: 8 sequences\ninitial-weights: uniform\npolicy: static\n"
            .formatted(dataset));
  }

  private static String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }
}
