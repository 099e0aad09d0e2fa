package io.sluice.cli.loop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.forget.purge.PurgeReport;
import io.sluice.cli.forget.purge.Purging;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.TopicScan;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents that are deleted from every topic of a service that goes on. */
class PurgeIT {
  private static final long STOPPED_AT = 12;

  @TempDir private static Path directory;

  static List<String> documentIds() {
    return LineageIT.documentIds();
  }

  /** A record by its place. */
  private record Place(String topic, int partition, long offset) {}

  @ParameterizedTest
  @MethodSource("documentIds")
  void purgedDocumentsAreInNoTopicAndEverythingElseIsWhereItWas(String documentIds)
      throws Exception {
    Path home = Files.createDirectories(directory.resolve(documentIds));
    List<String> events = new CopyOnWriteArrayList<>();
    Path file = home.resolve("forget.tsv");
    List<String> named = IntStream.range(0, 40).mapToObj(i -> "large\tlarge-" + 7 * i).toList();
    Files.write(file, named);
    DatasetSpec dataset = Testbed.dataset(1, documentIds);
    Map<Place, String> before;
    Map<String, Supply> supply;
    RunInfo branch;
    try (LocalService service = LocalService.start(LocalSettings.in(home), events::add)) {
      Testbed testbed = new Testbed(service.access(), dataset);
      TestingSluice sluice = new TestingSluice(service.access(), home);
      try (TopicAdmin admin = new TopicAdmin(service.access())) {
        admin.ensureDataset(dataset);
      }
      new DatasetCatalog(service.access()).publish(dataset);
      testbed.ingest("large", 400, false);
      testbed.ingest("medium", 60, true);
      testbed.ingest("small", 6, true);
      awaitDocuments(testbed, "large", 400);
      assertThat(texts(testbed, "large 7 ")).isPositive();
      RunInfo run = testbed.start(testbed.fixed("live", 0));
      GlobalBatch seen;
      try (SteeredTrainer trainer = new SteeredTrainer(service.access(), run)) {
        trainer.train(STOPPED_AT);
        seen = trainer.batch(STOPPED_AT);
        assertThat(sluice.run("forget", file.toString(), "--purge").err())
            .contains("--purge needs runs that read these documents' datasets to have ended")
            .contains("live (dataset data)");
        sluice.does("run", "stop", "live");
        before = records(testbed);
        supply = supply(testbed);
        purgeThoughKilled(testbed, 20);

        TestingSluice.Said said = sluice.run("forget", file.toString(), "--purge", "--json", "-");
        assertThat(said.exit()).as(said.err()).isZero();
        JsonNode purge = new ObjectMapper().readTree(said.out());
        assertThat(purge.at("/purge/left").asLong()).isZero();
        assertThat(purge.at("/purge/topics/0/topic").asText()).isEqualTo("sluice.corpus.large");
        assertThat(purge.at("/purge/topics/0/purged").asLong()).isEqualTo(40);
        assertThat(purge.at("/purge/letters").isEmpty()).isTrue();
        assertThat(purge.at("/purge/streams/0").asText()).isEqualTo("sluice.stream.live");
        requirePurged(testbed, before);
        assertThat(supply(testbed)).isEqualTo(supply);
        assertThat(sluice.run("forget", file.toString(), "--purge").out())
            .contains("no record of a corpus or of blocks has one of the documents");

        sluice.does("run", "fork", "live", "--at-batch", "" + STOPPED_AT, "--as", "branch");
        branch = RunDirectory.find(service.access(), "branch", Patience.MINUTE);
        try (SteeredTrainer other = trainer.forked(branch, STOPPED_AT)) {
          other.train(STOPPED_AT + 8);
          assertThat(other.batch(STOPPED_AT + 1).sequences().get(0).index())
              .isEqualTo(seen.sequences().get(seen.sequences().size() - 1).index() + 1);
        }
      }
      for (String name : List.of("live", "branch")) {
        assertThat(Auditor.audit(service.access(), name).violations()).isEmpty();
      }
      testbed.ingest("large", 30, true);
      awaitDocuments(testbed, "large", 430);
    }
    assertThat(events)
        .contains("dataset data is not prepared while documents are purged")
        .filteredOn(event -> event.startsWith("preparing dataset data"))
        .hasSizeGreaterThanOrEqualTo(2);
  }

  private static final class KilledError extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Each try comes one step further than the one before. */
  private static void purgeThoughKilled(Testbed testbed, int documents) {
    TreeMap<String, Set<String>> ids = new TreeMap<>();
    ids.put(
        "large",
        IntStream.range(0, documents).mapToObj(i -> "large-" + 7 * i).collect(Collectors.toSet()));
    int kills = 0;
    for (boolean killed = true; killed; kills++) {
      AtomicInteger steps = new AtomicInteger(kills);
      Consumer<String> dying =
          step -> {
            if (steps.getAndDecrement() == 0) {
              throw new KilledError();
            }
          };
      try (Purging purging = new Purging(testbed.kafka, dying)) {
        PurgeReport report = purging.purge(ids, List.of("some"), Patience.MINUTE);
        assertThat(report.left()).isZero();
        assertThat(report.topics().get(0).purged()).isEqualTo(documents);
        killed = false;
      } catch (KilledError error) {
        assertThat(new Purges(testbed.kafka).open()).isPresent();
        assertThatThrownBy(() -> new Purges(testbed.kafka).requireDomain("large"))
            .hasMessageContaining("documents of domain 'large' are being purged");
      }
    }
    assertThat(kills).isGreaterThan(5);
    assertThat(new Purges(testbed.kafka).open()).isEmpty();
  }

  /** Every record is where it was, those with the documents but for these. */
  private static void requirePurged(Testbed testbed, Map<Place, String> before) {
    assertThat(texts(testbed, "large 7 ")).isZero();
    assertThat(texts(testbed, "large 8 ")).isPositive();
    Map<Place, String> after = records(testbed);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    Map<String, Integer> changed = new TreeMap<>();
    after.forEach(
        (place, value) -> {
          if (!value.equals(before.get(place))) {
            changed.merge(place.topic(), 1, Integer::sum);
          }
        });
    assertThat(changed)
        .containsEntry("sluice.corpus.large", 40)
        .containsKey("sluice.blocks.data.large")
        .allSatisfy((topic, records) -> assertThat(topic).endsWith(".large"));
  }

  private static Map<Place, String> records(Testbed testbed) {
    Map<Place, String> records = new HashMap<>();
    List<String> topics = new ArrayList<>();
    for (String domain : testbed.dataset.getDomains()) {
      topics.add(testbed.kafka.topics().corpus(domain));
      topics.add(testbed.kafka.topics().blocks("data", domain));
      topics.add(testbed.kafka.topics().eval("data", domain));
    }
    new TopicScan(testbed.kafka)
        .read(
            topics,
            record ->
                records.put(
                    new Place(record.topic(), record.partition(), record.offset()),
                    HexFormat.of().formatHex(record.value())));
    return records;
  }

  /** Records of any topic that have a text. */
  private static long texts(Testbed testbed, String text) {
    long[] found = {0};
    try (Admin admin = Admin.create(testbed.kafka.with(Map.of()))) {
      List<String> topics = List.copyOf(admin.listTopics().names().get());
      new TopicScan(testbed.kafka)
          .read(
              topics,
              record -> {
                if (record.value() != null && new String(record.value(), UTF_8).contains(text)) {
                  found[0]++;
                }
              });
      return found[0];
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Supply> supply(Testbed testbed) {
    Map<String, Supply> newest = new TreeMap<>();
    new TopicScan(testbed.kafka)
        .read(
            Supply.class,
            testbed.kafka.topics().supply("data"),
            said -> newest.put(said.getDomain() + "/" + said.getLane(), said));
    return newest;
  }

  private static void awaitDocuments(Testbed testbed, String domain, long documents) {
    Patience.await(
        Patience.MINUTE,
        () -> {
          Supply said = supply(testbed).get(domain + "/0");
          return said != null && said.getDocuments() == documents;
        });
  }
}
