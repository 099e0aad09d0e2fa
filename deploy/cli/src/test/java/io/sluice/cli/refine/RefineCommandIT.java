package io.sluice.cli.refine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.control.error.Answers;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.BordersMoved;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefinedDomain;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands on refineries say and refuse, by a log that is written here. */
class RefineCommandIT {
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
  void aRefineryIsPublishedOnceAndNeverChanged() throws IOException {
    assertThat(sluice.does("refine", "plan", "-f", file("once", "[in]", "once-out", "")))
        .contains("would read in: 0 records, and what comes")
        .contains("would be published, and 1 domains made");
    JsonNode plan =
        sluice.json("refine", "plan", "-f", file("once", "[in]", "once-out", ""), "--json", "-");
    assertThat(plan.path("change").asText()).isEqualTo("new");
    assertThat(plan.path("inputs").path(0).path("domain").asText()).isEqualTo("in");
    assertThat(sluice.does("refine", "apply", "-f", file("once", "[in]", "once-out", "")))
        .isEqualTo("refinery once is published\n");
    assertThat(sluice.does("refine", "apply", "-f", file("once", "[in]", "once-out", "")))
        .isEqualTo("refinery once is unchanged\n");
    assertThat(fails("apply", file("once", "[in]", "once-out", "duplicates: {words: 4}")))
        .contains("refinery 'once' exists, and other settings or models make other documents");
    assertThat(sluice.does("refine", "list")).contains("once", "once-out");
  }

  @Test
  void aDomainIsWrittenByOneRefineryAlone() throws IOException {
    sluice.does("refine", "apply", "-f", file("first", "[in]", "first-out", ""));

    assertThat(fails("apply", file("second", "[other]", "first-out", "")))
        .contains("domains must be written by one refinery: 'first' writes 'first-out'");
    Path text = Files.writeString(directory.resolve("text.txt"), "a text");
    assertThat(sluice.run("ingest", "--domain", "first-out", "--create", text.toString()).err())
        .contains("'first-out' is made by refinery 'first' of [in]");
    sluice.does("ingest", "--domain", "full", "--create", text.toString());
    assertThat(fails("apply", file("third", "[in]", "full", "")))
        .contains("domains must be new: 'full' has 1 records");
  }

  @Test
  void whatARefineryReadsMustNotComeOfWhatItWrites() throws IOException {
    sluice.does("refine", "apply", "-f", file("one", "[a]", "b", ""));
    sluice.does("refine", "apply", "-f", file("two", "[b]", "c", ""));

    assertThat(fails("apply", file("three", "[c]", "a", "")))
        .contains("inputs must not be made of the refinery's own domains: 'c' is");
  }

  @Test
  void documentsThatARefineryReadsAreForgottenAndNotPurged() throws IOException {
    sluice.does("refine", "apply", "-f", file("reading", "[read]", "read-out", ""));
    Path text = Files.writeString(directory.resolve("read.txt"), "a text");
    sluice.does("ingest", "--domain", "read", "--create", text.toString());
    Path list = Files.writeString(directory.resolve("list"), "read\tread.txt\n");

    assertThat(sluice.run("forget", "--purge", "--jobs-stopped", list.toString()).err())
        .contains(
            "documents of domain 'read' are forgotten, and cannot be purged: refinery 'reading'"
                + " reads or writes it");
  }

  @Test
  void everyRecordIsSaidToBeSomewhere() throws IOException {
    sluice.does("refine", "apply", "-f", file("shown", "[shown-in]", "shown-out", ""));
    assertThat(sluice.does("refine", "show", "shown"))
        .contains("nothing is refined yet: there is nothing in the inputs");
    write(
        new DroppedDocument("in", 3L, "x", "near duplicate", "in:1", .75),
        new BordersMoved("perplexity", 4L, List.of(1.5)),
        new RefineProgress(
            0L,
            5L,
            List.of(6L),
            Map.of("kept", 4L, "near duplicate", 1L),
            List.of(new RefinedDomain("shown-out", 4L, 2_000_000L)),
            Map.of("perplexity", "borders at 1.5"),
            true));

    assertThat(sluice.does("refine", "show", "shown", "--dropped", "9"))
        .contains("records: 5 = 4 kept + 1 near duplicate; ended")
        .contains("shown-in: read up to offset 6 of ")
        .contains("perplexity: borders at 1.5")
        .contains("4 documents        2.0 MB  1.0000")
        .contains("dropped in:3 x: near duplicate of in:1, 0.75");
    assertThat(
            sluice
                .json("refine", "show", "shown", "--json", "-")
                .at("/counts/near duplicate")
                .asLong())
        .isEqualTo(1);
    assertThat(sluice.run("refine", "show", "nobody").err())
        .contains("refinery must be one of [")
        .contains("'nobody'");
  }

  @Test
  void oneThatIsDeletedLeavesItsDomainsAndItsName() throws IOException {
    String file = file("gone", "[gone-in]", "gone-out", "");
    sluice.does("refine", "apply", "-f", file);
    TestingSluice.Said early = sluice.run("refine", "delete", "gone", "--timeout", "1");
    assertThat(early.exit()).isEqualTo(3);
    assertThat(early.err())
        .contains("no service has said within 1 s that it does not run 'gone' any more");
    assertThat(sluice.does("refine", "list")).contains("gone-out");

    JsonNode deleted = sluice.json("refine", "delete", "gone", "--jobs-stopped", "--json", "-");
    assertThat(deleted.path("refinery").asText()).isEqualTo("gone");
    assertThat(deleted.at("/left/0").asText())
        .isEqualTo(
            "domain gone-out stays: nothing else needs it, and 'sluice domain delete gone-out'"
                + " frees it");
    assertThat(sluice.does("refine", "list")).doesNotContain("gone-out");
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      assertThat(admin.find(kafka.topics().refined("gone"))).isEmpty();
      assertThat(admin.find(kafka.topics().corpus("gone-out"))).isPresent();
    }
    assertThat(fails("apply", file))
        .contains("refinery 'gone' was deleted, and its job knows what it has read");
    Path text = Files.writeString(directory.resolve("gone.txt"), "a text");
    sluice.does("ingest", "--domain", "gone-out", text.toString());
    assertThat(sluice.run("refine", "delete", "gone").err()).contains("refinery must be one of [");
  }

  @Test
  void whoOnlyLooksMakesNoTopicsAndIsToldOfAWrongPrefix() throws IOException {
    for (List<String> command :
        List.of(
            List.of("refine", "list"),
            List.of("refine", "show", "once"),
            List.of("dataset", "list"),
            List.of("dataset", "show", "small"),
            List.of("run", "list"))) {
      List<String> elsewhere = new ArrayList<>(List.of("--prefix", "typo."));
      elsewhere.addAll(command);
      TestingSluice.Said said = sluice.run(elsewhere.toArray(String[]::new));
      assertThat(said.exit()).as("%s: %s", command, said.err()).isEqualTo(2);
      assertThat(said.err())
          .contains("topic does not exist: typo.", "the prefix is 'typo.', given by --prefix");
    }
    String file = file("planned", "[in]", "planned-out", "");
    sluice.does("--prefix", "typo.", "refine", "plan", "-f", file);
    TestingSluice.Said refused =
        sluice.run("--prefix", "typo.", "--no-create-topics", "refine", "apply", "-f", file);
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("must be there, since --no-create-topics leaves it to");
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      assertThat(Answers.await(admin.listTopics().names(), Patience.MINUTE, "listing"))
          .noneMatch(name -> name.startsWith("typo."));
    }
    sluice.does("refine", "apply", "-f", file);
    sluice.does("--no-create-topics", "refine", "apply", "-f", file);
  }

  private static void write(SpecificRecordBase... said) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(Map.of("acks", "all")),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (SpecificRecordBase each : said) {
        var unused =
            producer.send(
                new ProducerRecord<>(kafka.topics().refined("shown"), WireCodec.encode(each)));
      }
    }
  }

  private static String fails(String command, String file) {
    TestingSluice.Said said = sluice.run("refine", command, "-f", file);
    assertThat(said.exit()).isEqualTo(2);
    return said.err();
  }

  private static String file(String name, String inputs, String domains, String more)
      throws IOException {
    String text =
        "refinery: " + name + "\ninputs: " + inputs + "\ndomains: " + domains + "\n" + more + "\n";
    return Files.writeString(directory.resolve(name + ".yaml"), text).toString();
  }
}
