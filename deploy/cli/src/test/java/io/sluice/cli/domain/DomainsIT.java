package io.sluice.cli.domain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.control.domain.CorpusDuplicates;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.file.LocalFiles;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say of domains, by a supply that is written here. */
class DomainsIT {
  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
    sluice = new TestingSluice(kafka, directory);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void firstWeightsByTokensAreOfWholeDomains() throws Exception {
    applyDataset("whole", 2, "a", "b");
    ingest("a", 40, "--end");
    ingest("b", 40);
    supply("whole", "a", 0, 40, 3000, true);
    supply("whole", "a", 1, 40, 3000, true);
    supply("whole", "b", 0, 10, 40, false);
    String run = run("whole", "initial-weights: token-proportional");
    assertThat(fails("run", "validate", "-f", run)).contains("no end marker has b.");
    ingest("b", 10, "--end");
    assertThat(fails("run", "validate", "-f", run))
        .contains("'run apply' waits until b is prepared (10 of 50 documents)");
    supply("whole", "b", 0, 50, 1000, true);
    supply("whole", "b", 1, 50, 1000, true);
    assertThat(sluice.does("run", "validate", "-f", run))
        .contains("a                                   3000  0.750000")
        .contains("b                                   1000  0.250000");
  }

  @Test
  void anIngestSaysThatADomainEndedOnlyWhereItDid() throws Exception {
    applyDataset("ending", 1, "c");
    String prose = write("prose.jsonl", "prose\n".repeat(3));
    TestingSluice.Said nothing = sluice.run("ingest", "--domain", "c", "--end", prose);
    assertThat(nothing.exit()).isEqualTo(1);
    assertThat(nothing.out()).contains("3 dead letters").doesNotContain("; ended");
    assertThat(nothing.err())
        .contains("no document could be used")
        .contains("--format lines makes each line a document, --format text a whole input")
        .contains("the domain is not marked as ended");
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("prose\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(sluice.run("ingest", "--domain", "c", "-").err())
        .contains("standard input is read as JSONL; --format lines");
    System.setIn(before);
    String half = write("half.txt", "text");
    TestingSluice.Said some =
        sluice.run(
            "ingest", "--domain", "c", "--end", half, write("long.jsonl", "prose\n".repeat(101)));
    assertThat(some.exit()).isEqualTo(1);
    assertThat(some.out()).contains("1 documents").doesNotContain("; ended");
    assertThat(some.err())
        .contains("1 of the inputs could not be used; --format lines")
        .contains(
            "the domain is not marked as ended: 'sluice ingest --domain c --end' without PATH");
    Path links = Files.createDirectory(directory.resolve("links"));
    write("links/a.txt", "more");
    Files.createSymbolicLink(links.resolve("b.txt"), Path.of("nowhere"));
    TestingSluice.Said odd = sluice.run("ingest", "--domain", "c", links.toString());
    assertThat(odd.exit()).isEqualTo(1);
    assertThat(odd.out()).contains("1 documents").contains("1 dead letters");
    assertThat(odd.err()).contains("1 of the inputs could not be used").doesNotContain("--format");
    assertThat(sluice.does("ingest", "--domain", "c", "--end")).contains("; ended");
    assertThat(sluice.does("ingest", "--domain", "c", "--end"))
        .isEqualTo("domain c had its end marker already: nothing was done\n");
    assertThat(fails("ingest", "--domain", "c", half))
        .contains("domain 'c' has ended", "'sluice run domain RUN --add c-2=SHARE'");
  }

  @Test
  void aRecordBehindTheEndMarkerDoesNotOpenTheDomainAgain() throws Exception {
    applyDataset("late", 1, "d");
    ingest("d", 3, "--end");
    supply("late", "d", 0, 3, 64, true);
    send(
        kafka.topics().corpus("d"),
        null,
        new Document("x", "late", "a live producer", 1L, Map.of(), null));
    assertThat(sluice.does("domain", "show", "d"))
        .contains("documents, ended. More of it can be a domain of its own, such as 'd-2'")
        .contains("'sluice run domain RUN --add d-2=SHARE'");
    assertThat(sluice.does("domain", "list")).containsPattern("d +late +\\d+ yes ");
    assertThat(sluice.does("ingest", "--domain", "d", "--end"))
        .isEqualTo("domain d had its end marker already: nothing was done\n");
    assertThat(fails("ingest", "--domain", "d", write("more.txt", "text")))
        .contains("domain 'd' has ended: no document may follow its end marker", "such as 'd-2'");
  }

  @Test
  void domainsAndWhatCouldNotBeUsedOfThemAreShown() throws Exception {
    applyDataset("shown", 1, "live", "done");
    ingest("done", 30, "--end");
    String mixed = write("mixed.jsonl", "{\"text\": \"good\"}\nprose\n");
    does(1, "ingest", "--domain", "live", mixed);
    supply("shown", "done", 0, 30, 640, true);
    supply("shown", "live", 0, 1, 0, false);
    assertThat(sluice.does("domain", "list"))
        .containsPattern("live +shown +1 no +1 +1 +0 +1 +1\\n")
        .containsPattern("done +shown +30 yes +30 +0 +10 +1 +0\\n");
    String more = write("more.jsonl", "{\"text\": \"more\"}\n".repeat(7));
    assertThat(sluice.does("ingest", "--domain", "refers", "--create", "--by-reference", more))
        .contains("domain refers: 7 records in 1 ranges of files")
        .contains("start it with a --source-root at or above each");
    assertThat(sluice.does("ingest", "--domain", "refers", write("copied.txt", "copied")))
        .doesNotContain("--source-root");
    assertThat(sluice.does("domain", "list")).containsPattern("refers +- +8 no ");
    assertThat(sluice.does("domain", "show", "refers")).contains("refers: 8 documents, not ended");
    assertThat(sluice.does("domain", "show", "live"))
        .contains("live: 1 documents, not ended")
        .contains("1 documents wait in the shuffle buffer of 100 until it is full or the domain")
        .contains("dead letters: 1; 'sluice deadletter list --domain live' says why");
    assertThat(sluice.does("domain", "show", "done"))
        .contains("done: 30 documents, ended")
        .contains("dataset shown: 30 documents prepared, to the end; 10 blocks of 640 tokens")
        .doesNotContain("shuffle", "dead letters");
    assertThat(sluice.does("deadletter", "list", "--domain", "live"))
        .contains(mixed + ":2", "not JSON: ");
    assertThat(sluice.does("deadletter", "list", "--domain", "done")).doesNotContain("not JSON");
    assertThat(sluice.does("deadletter", "list", "-n", "1")).contains("WHY");
    assertThat(List.of("domain show", "deadletter list --domain", "deadletter retry --domain"))
        .allSatisfy(
            command ->
                assertThat(fails((command + " nothing").split(" ")))
                    .contains("domain must be one of [", "done, ", "live", ": 'nothing'"));
    assertThat(sluice.does("run", "validate", "-f", run("shown", "initial-weights: uniform")))
        .contains("run: \"shown\"", "policy: \"static\"", "timeout: \"10m\"")
        .doesNotContain("{");
  }

  @Test
  void deadLettersThatDoNotNameTheirDomainAreNotLeftOut() throws Exception {
    send(
        kafka.topics().deadLetters(),
        null,
        DeadLetters.of("ingest", "old.jsonl", -1, 3, "not JSON: old", new byte[0], 1));
    send(
        kafka.topics().deadLetters(),
        null,
        DeadLetters.of("mix", "feedback.r-1", 0, 4, "not feedback", new byte[0], 2));
    assertThat(sluice.does("deadletter", "list"))
        .containsPattern("ingest +unknown +old.jsonl:3 ")
        .containsPattern("mix +- +feedback.r-1-0@4 ")
        .doesNotContain("earlier builds");
    byte[] terminal = "\u001b]0;mine\u0007".getBytes(StandardCharsets.UTF_8);
    send(
        kafka.topics().deadLetters(),
        null,
        DeadLetters.of("mix", "t", 1, 5, "a\u001breason", terminal, 3));
    Matcher row =
        Pattern.compile("(\\d+)  .* t-1@5 +a\\?reason").matcher(sluice.does("deadletter", "list"));
    assertThat(row.find()).isTrue();
    assertThat(sluice.does("deadletter", "show", row.group(1)))
        .contains(
            "where  t-1@5",
            "why    a?reason",
            "its 9 bytes, as hexadecimal digits:",
            "1b5d303b6d696e6507");
    assertThat(fails("deadletter", "show", "1000000"))
        .contains("NUMBER must be that of a dead letter");
    applyDataset("old", 1, "any");
    assertThat(sluice.does("deadletter", "list", "--domain", "any"))
        .doesNotContain("old.jsonl")
        .endsWith(
            "1 of earlier builds do not name their domain: 'sluice deadletter list' has them\n");

    assertThat(fails("deadletter", "drop", "--before", "1000000"))
        .contains("the number must be in [0, ", "], where the dead letters end: 1000000");
    JsonNode drop = sluice.json("deadletter", "drop", "--before", row.group(1), "--json", "-");
    assertThat(drop.path("dropped").asLong()).isPositive();
    assertThat(drop.path("before").asText()).isEqualTo(row.group(1));
    assertThat(sluice.does("deadletter", "list"))
        .contains("a?reason")
        .doesNotContain("old.jsonl", "feedback.r-1");
    assertThat(fails("deadletter", "show", "0")).contains("NUMBER must be that of a dead letter");
  }

  @Test
  void documentsThatAreInACorpusTwiceAreCounted() throws Exception {
    applyDataset("twice", 1, "t");
    ingest("t", 200);
    String corpus = kafka.topics().corpus("t");
    Document first = new Document("t200.jsonl:1", "t 0", "elsewhere", 9L, Map.of(), null);
    send(corpus, null, first);
    send(corpus, null, first);
    send(corpus, null, Document.newBuilder(first).setText("t 1").build());
    send(corpus, null, Document.newBuilder(first).setTrained(List.of(0, 1)).build());
    ByteBuffer ids = ByteBuffer.wrap(new byte[] {1, 0});
    send(corpus, null, new TokenDocument("t200.jsonl:1", "bytes", 2, ids, "x", 1L, Map.of()));
    send(corpus, null, new TokenDocument("t200.jsonl:1", "bytes", 2, ids, "y", 2L, Map.of()));
    CorpusDuplicates inOne = CorpusDuplicates.of(kafka, "t", 1 << 20);
    assertThat(inOne)
        .isEqualTo(
            new CorpusDuplicates(
                206, 3, 0, List.of("t200.jsonl:1", "t200.jsonl:1", "t200.jsonl:1")));
    // Room for 20 hashes: eleven readings.
    assertThat(CorpusDuplicates.of(kafka, "t", 28 * 20)).isEqualTo(inOne);
    assertThat(sluice.does("domain", "show", "t", "--duplicates"))
        .contains("  3 of 206 documents are there again, such as t200.jsonl:1, t200.jsonl:1");
  }

  @Test
  void whatWasRefusedOfFilesIsTakenOnceItCanBeUsedAndOnceAlone() throws Exception {
    applyDataset("again", 1, "e");
    String line = "{\"text\": \"%s\"}\n";
    String lines =
        write("some.jsonl", line.formatted("one") + line.formatted("2".repeat(2000)) + "prose\n");
    String whole = write("whole.txt", "w".repeat(2000));
    String larger = write("larger.txt", "l".repeat(20_000));
    byte[] zipped = zipped(line.formatted("three").repeat(500));
    Path cut = Files.write(directory.resolve("cut.jsonl.gz"), Arrays.copyOf(zipped, 40));
    String[] first = {
      "ingest", "--domain=e", "--max-document=1000", lines, whole, cut + "", larger
    };
    assertThat(sluice.run(first).out()).contains("5 dead letters");
    assertThat(corpus("e")).containsExactly("some.jsonl:1");

    assertThat(sluice.does("deadletter", "retry", "--domain", "e", "--dry-run"))
        .contains(" read again " + lines + ":2\n", "dead letters: 5 read again");
    TestingSluice.Said small = sluice.run("deadletter", "retry", "--domain", "e");
    assertThat(small.exit()).isEqualTo(1);
    assertThat(small.out())
        .contains(" refused    " + lines + ":2: line has 2012 bytes; the limit is 1000")
        .contains(" refused    " + whole + ": document has at least 1001 bytes");
    assertThat(sluice.does("deadletter", "list", "--domain", "e").lines())
        .filteredOn(row -> row.contains(" ingest   e "))
        .hasSize(5);
    assertThat(corpus("e")).containsExactly("some.jsonl:1");

    Files.write(cut, zipped);
    // A retry that is killed before it says what it took.
    LetterChoice all = LetterChoice.read(kafka, List.of(), "e");
    new RefusedFiles(
            kafka,
            new LocalFiles(),
            all.letters(),
            all.told().getOrDefault("e", Set.of()),
            OptionalInt.of(10_000),
            false)
        .retry();
    List<String> taken = new ArrayList<>(List.of("some.jsonl:1", "some.jsonl:2", "whole.txt"));
    IntStream.rangeClosed(1, 500).forEach(n -> taken.add("cut.jsonl.gz:" + n));
    assertThat(corpus("e")).containsExactlyInAnyOrderElementsOf(taken);
    String[] again = {"deadletter", "retry", "--domain", "e", "--max-document", "10k"};
    assertThat(sluice.run(again).out())
        .contains(" there      " + lines + ":2\n", lines + ":3: not JSON")
        .contains("dead letters: 3 there, 2 refused");
    assertThat(sluice.run(again).out()).contains("dead letters: 2 refused");
    does(0, "ingest", "--domain", "e", "--max-document", "20k", whole, cut.toString(), larger);
    taken.add("larger.txt");
    assertThat(corpus("e")).containsExactlyInAnyOrderElementsOf(taken);
    assertThat(sluice.does("deadletter", "list", "--domain", "e"))
        .containsPattern(lines + ":2 +retried at 20\\d\\d-.*; it was: line has 2012 bytes");
  }

  @Test
  void aDocumentThatWasPurgedIsNotTakenAgain() throws Exception {
    applyDataset("gone", 1, "g");
    String line = "{\"text\": \"%s\"}\n";
    String large = line.formatted("2".repeat(2000));
    String lines = write("gone.jsonl", line.formatted("one") + large + large);
    assertThat(sluice.run("ingest", "--domain=g", "--max-document=1000", lines).out())
        .contains("2 dead letters");
    send(kafka.topics().corpus("g"), null, new PurgedDocument("gone.jsonl:2", List.of()));

    assertThat(sluice.does("deadletter", "retry", "--domain", "g", "--max-document", "10k"))
        .contains(" there      " + lines + ":2\n", " taken      " + lines + ":3\n");
    assertThat(corpus("g")).containsExactly("gone.jsonl:1", "gone.jsonl:3");
    assertThat(sluice.does("domain", "show", "g", "--duplicates"))
        .contains("  0 of 2 documents are there again");
  }

  private static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** The ids of a domain's documents. */
  private static List<String> corpus(String domain) {
    List<String> ids = new ArrayList<>();
    new TopicScan(kafka)
        .read(Document.class, kafka.topics().corpus(domain), each -> ids.add(each.getId()));
    return ids;
  }

  private static void applyDataset(String name, int lanes, String... domains) throws IOException {
    String yaml =
        "dataset: %s\ntokenizer: bytes\nsequence-length: 64\nshuffle-buffer: 100\nlanes: %d\ndomains: %s\n"
            .formatted(name, lanes, List.of(domains));
    sluice.does("dataset", "apply", "-f", write(name + "-data.yaml", yaml));
  }

  private static String run(String dataset, String line) throws IOException {
    return write(
        dataset + "-run.yaml",
        "run: %s\ndataset: %s\nbatch: 8 sequences\npolicy: static\n%s\n"
            .formatted(dataset, dataset, line));
  }

  private static void ingest(String domain, int documents, String... options) throws IOException {
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, documents)
        .forEach(n -> lines.append("{\"text\": \"%s %d\"}\n".formatted(domain, n)));
    String file = write(domain + documents + ".jsonl", lines.toString());
    List<String> command = new ArrayList<>(List.of("ingest", "--domain", domain, file));
    command.addAll(List.of(options));
    sluice.does(command.toArray(String[]::new));
  }

  /** Says what is prepared of a lane of a domain. */
  private static void supply(
      String dataset, String domain, int lane, long documents, long tokens, boolean ended)
      throws Exception {
    DatasetSpec spec = new DatasetCatalog(kafka).require(dataset);
    Supply supply =
        Supply.newBuilder()
            .setDataset(dataset)
            .setFingerprint(spec.getFingerprint())
            .setDomain(domain)
            .setLane(lane)
            .setBlocks(tokens / 64)
            .setEvalBlocks(1)
            .setTrainedTokens(tokens)
            .setDocuments(documents)
            .setEnded(ended)
            .build();
    byte[] key = (domain + "/" + lane).getBytes(StandardCharsets.UTF_8);
    send(kafka.topics().supply(dataset), key, supply);
  }

  private static void send(String topic, byte @Nullable [] key, SpecificRecordBase message)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, 0, key, WireCodec.encode(message))).get();
    }
  }

  private static String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  /** Does it, and says so much of it on standard error. */
  private static void does(int lines, String... command) {
    TestingSluice.Said said = sluice.run(command);
    assertThat(said.exit()).isZero();
    assertThat(said.err().lines()).hasSize(lines);
  }

  private static String fails(String... command) {
    TestingSluice.Said said = sluice.run(command);
    assertThat(said.exit()).as(said.out()).isEqualTo(2);
    return said.err();
  }
}
