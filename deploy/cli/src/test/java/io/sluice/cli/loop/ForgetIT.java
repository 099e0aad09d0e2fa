package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.IdHash;
import io.sluice.service.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents that are forgotten while a run trains on them. */
class ForgetIT {
  private static final long BEFORE = 12;
  private static final long AFTER = 30;

  @TempDir private static Path directory;

  /** A document that is to be forgotten, in a batch. */
  private record Place(String document, int timeline, long batch, long sequence) {}

  static List<String> documentIds() {
    return LineageIT.documentIds();
  }

  @ParameterizedTest
  @MethodSource("documentIds")
  void forgottenDocumentsCountInNoBatchFromTheNamedOneOn(String documentIds) throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    Path home = Files.createDirectories(directory.resolve(documentIds));
    try (TestingService service = new TestingService(home, documentIds)) {
      new DatasetCatalog(service.kafka).publish(service.dataset);
      service.ingest("large", 2000, true);
      service.ingest("medium", 100, true);
      service.ingest("small", 6, true);
      TestingSluice sluice = new TestingSluice(service.kafka, home);
      Set<String> forgotten =
          IntStream.range(0, 700).mapToObj(i -> "large-" + i).collect(Collectors.toSet());
      Map<String, String> inBlocks =
          forgotten.stream()
              .collect(Collectors.toMap(id -> id, id -> inBlock(service, "large", id)));
      Set<String> hidden = Set.copyOf(inBlocks.values());
      Path file = home.resolve("forget.tsv");
      Files.write(file, forgotten.stream().map(id -> "large\t" + id).toList());

      RunInfo run = service.start(service.fixed("live", 0));
      try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
        trainer.train(BEFORE);
        JsonNode rows =
            sluice
                .json("forget", file.toString(), "--reason", "a takedown", "--json", "-")
                .get("batches");
        long from = rows.get(0).get("masked-from").asLong();
        assertThat(from).isGreaterThan(BEFORE);
        trainer.train(from + 8);
        Set<Place> before = new TreeSet<>(java.util.Comparator.comparing(Place::toString));
        long after = 0;
        for (long batch = 1; batch <= from + 8; batch++) {
          Set<Place> held = places(trainer.batch(batch), hidden);
          long trained = trained(trainer.batch(batch), hidden);
          if (batch < from) {
            before.addAll(held);
          } else {
            after += held.size();
            assertThat(trained).isZero();
          }
        }
        assertThat(before).isNotEmpty();
        assertThat(after).isPositive();
        assertThat(reported(rows, inBlocks)).isEqualTo(before);
        assertThat(sluice.does("run", "show", "live"))
            .contains("masks 700 documents from batch " + from + " on: a takedown");
        assertThat(sluice.does("forget", file.toString()))
            .contains("700 documents are to be forgotten, and were before")
            .contains("masked from batch " + from + " on");
        assertThat(pythonLabels(service, "live", from + 8)).isEqualTo(labels(trainer, from + 8));

        long back = from - 4;
        sluice.does("run", "rewind", "live", "--to-batch", Long.toString(back));
        trainer.resume(back);
        trainer.train(AFTER);
        for (long batch = back + 1; batch <= AFTER; batch++) {
          assertThat(trained(trainer.batch(batch), hidden)).isZero();
        }
        long granted = RunHistory.read(service.kafka, "live").state().position().granted();
        filter(sluice, trainer, granted + 3, inBlock(service, "small", "small-0"));
        assertThat(pythonLabels(service, "live", granted + 6))
            .isEqualTo(labels(trainer, granted + 6));

        sluice.does("run", "fork", "live", "--at-batch", "5", "--as", "branch");
        RunInfo branch = RunDirectory.find(service.kafka, "branch", Patience.MINUTE);
        try (SteeredTrainer other = trainer.forked(branch, 5)) {
          other.train(BEFORE);
          for (long batch = 6; batch <= BEFORE; batch++) {
            assertThat(trained(other.batch(batch), hidden)).isZero();
          }
        }
      }
      laterDocumentsAreInNoBlock(service, sluice, home.resolve("later.tsv"));
      for (String name : List.of("live", "branch")) {
        AuditReport report = Auditor.audit(service.kafka, name);
        assertThat(report.violations()).isEmpty();
      }
    }
  }

  /** Documents of a domain that goes on: those that came, and those that come later. */
  private static void laterDocumentsAreInNoBlock(
      TestingService service, TestingSluice sluice, Path file) throws Exception {
    DatasetSpec chats =
        DatasetSpecs.resolve(
            new DatasetSettings("chats", "bytes", 32, 4, 7, .1, List.of("chat"), 1));
    try (TopicAdmin admin = new TopicAdmin(service.kafka)) {
      admin.ensureDataset(chats);
    }
    service.flink().submit("chats", env -> PrepareJob.build(env, service.kafka, chats));
    service.ingest("chat", 20, false);
    awaitSupply(service, said -> said.getDocuments() == 20);
    Files.write(file, IntStream.range(5, 40).mapToObj(i -> "chat\tchat-" + i).toList());
    Files.writeString(file, "chat\ttypo\nchatt\tchat-1\n", StandardOpenOption.APPEND);
    assertThat(sluice.does("forget", file.toString()))
        .contains("37 documents are to be forgotten")
        .contains("36 are in none of these blocks; whether a corpus has them was not looked at")
        .contains("1 are unknown, in no corpus: chatt/chat-1");
    JsonNode found = sluice.json("forget", file.toString(), "--look-up", "--json", "-");
    assertThat(found.at("/in-corpora/documents").asInt()).isEqualTo(15);
    assertThat(found.at("/unknown/documents").asInt()).isEqualTo(22);
    assertThat(found.at("/unknown/first").toString()).contains("chat/chat-20", "chat/chat-29");
    service.ingest("chat", 1, false);
    long blocks = awaitSupply(service, said -> said.getDocuments() == 21).getBlocks();
    service.ingest("chat", 40, true);
    Supply all = awaitSupply(service, Supply::getEnded);
    assertThat(all.getDocuments()).isEqualTo(61);
    assertThat(all.getLedger().getDocuments().getForgotten()).isBetween(35L, 50L);
    Set<String> documents = new TreeSet<>();
    new TopicScan(service.kafka)
        .read(
            List.of(service.kafka.topics().blocks("chats", "chat")),
            message -> {
              if (message.timestamp() >= blocks
                  && WireCodec.decode(message.value()) instanceof TokenBlock block) {
                documents.addAll(block.getDocumentIds());
              }
            });
    assertThat(documents)
        .isNotEmpty()
        .isSubsetOf("", "chat-0", "chat-1", "chat-2", "chat-3", "chat-4");
  }

  private static Supply awaitSupply(TestingService service, Predicate<Supply> wanted) {
    AtomicReference<Supply> newest = new AtomicReference<>();
    return Patience.await(
        Patience.MINUTE,
        () -> {
          new TopicScan(service.kafka)
              .read(Supply.class, service.kafka.topics().supply("chats"), newest::set);
          return newest.get();
        },
        supply -> supply != null && wanted.test(supply));
  }

  /** A predicate's documents count up to the batch that is named, and not from it on. */
  private static void filter(TestingSluice sluice, SteeredTrainer trainer, long from, String kept)
      throws Exception {
    String where = "origin = \"-\" and id = medium-3";
    assertThat(sluice.run("run", "filter", "live", "--where", where).err())
        .contains("--where must mean a document: of 2106 none meets '" + where + "'");
    assertThat(
            sluice
                .run("run", "filter", "live", "--where", "id = medium-3", "--from-batch", "3")
                .err())
        .contains("--from-batch must be at least ", " of run live that is not granted: 3");
    assertThat(
            sluice.does(
                "run", "filter", "live", "--where", "id != small-0", "--from-batch", "" + from))
        .contains("2105 of 2106 documents are meant: {large=2000, medium=100, small=5}")
        .contains("run live: 2105 documents are masked from batch " + from + " on");
    trainer.train(from + 3);
    Set<String> all = new TreeSet<>();
    for (long batch = from - 1; batch <= from + 3; batch++) {
      trainer.batch(batch).sequences().forEach(each -> all.addAll(each.block().getDocumentIds()));
      all.removeAll(Set.of(kept, ""));
      long trained = trained(trainer.batch(batch), all);
      assertThat(trained > 0).isEqualTo(batch < from);
    }
    assertThat(sluice.does("run", "show", "live"))
        .contains("masks 2105 documents from batch " + from + " on: id != small-0");
  }

  private static Set<Place> places(GlobalBatch batch, Set<String> documents) {
    Set<Place> places = new TreeSet<>(java.util.Comparator.comparing(Place::toString));
    for (Sequence sequence : batch.sequences()) {
      for (String id : sequence.block().getDocumentIds()) {
        if (documents.contains(id)) {
          places.add(new Place(id, batch.timeline(), batch.batch(), sequence.index()));
        }
      }
    }
    return places;
  }

  /** What blocks have of a document. */
  private static String inBlock(TestingService service, String domain, String id) {
    return IdHash.in(service.dataset.getDocumentIds()) ? IdHash.of(domain, id) : id;
  }

  private static Set<Place> reported(JsonNode rows, Map<String, String> inBlocks) {
    Set<Place> places = new TreeSet<>(java.util.Comparator.comparing(Place::toString));
    for (JsonNode row : rows) {
      places.add(
          new Place(
              inBlocks.get(row.get("document").asText()),
              row.get("timeline").asInt(),
              row.get("batch").asLong(),
              row.get("sequence").asLong()));
    }
    return places;
  }

  /** Labels that count, and whose token or the one before is of one of the documents. */
  private static long trained(GlobalBatch batch, Set<String> documents) {
    long labels = 0;
    for (Sequence sequence : batch.sequences()) {
      TokenBlock block = sequence.block();
      boolean[] trained = sequence.trained();
      assertThat(Tokens.trained(block)).isEqualTo(trained);
      int at = 0;
      for (int part = 0; part < block.getDocumentIds().size(); part++) {
        int end = at + block.getDocumentLengths().get(part);
        if (documents.contains(block.getDocumentIds().get(part))) {
          for (int label = Math.max(0, at - 1); label < Math.min(end, trained.length); label++) {
            labels += trained[label] ? 1 : 0;
          }
        }
        at = end;
      }
    }
    return labels;
  }

  private static List<Long> labels(SteeredTrainer trainer, long last) {
    return IntStream.rangeClosed(1, (int) last)
        .mapToObj(
            batch ->
                trainer.batch(batch).sequences().stream()
                    .mapToLong(each -> each.block().getTrainedTokens())
                    .sum())
        .toList();
  }

  private static List<Long> pythonLabels(TestingService service, String run, long last)
      throws Exception {
    String printed =
        TestingPython.live(
            "masked.py",
            List.of(
                "--bootstrap",
                service.kafka.bootstrapServers(),
                "--run",
                run,
                "--last",
                Long.toString(last)));
    return new ObjectMapper()
        .readerForListOf(Long.class)
        .readValue(printed.lines().filter(line -> line.startsWith("[")).findFirst().orElseThrow());
  }
}
