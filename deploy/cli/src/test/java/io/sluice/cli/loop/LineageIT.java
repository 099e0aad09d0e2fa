package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.set.IdHash;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the logs and the blocks say about documents, against what is in the streams. */
class LineageIT {
  private static final long BEFORE = 30;
  private static final long REWOUND_TO = 14;
  private static final long AFTER = 40;

  @TempDir private static Path directory;

  /** A document in a sequence. */
  private record Place(
      String document,
      String domain,
      int lane,
      long block,
      int timeline,
      long batch,
      long sequence) {}

  static List<String> documentIds() {
    return Boolean.getBoolean("sluice.full")
        ? PackingSettings.DOCUMENT_IDS
        : List.of(PackingSettings.HASHES);
  }

  @ParameterizedTest
  @MethodSource("documentIds")
  void saysOfDocumentsAndBatchesWhatTheStreamHas(String documentIds) throws IOException {
    Path home = Files.createDirectories(directory.resolve(documentIds));
    try (TestingService service = new TestingService(home, documentIds)) {
      new DatasetCatalog(service.kafka).publish(service.dataset);
      service.ingest("large", 2000, true);
      service.ingest("medium", 100, true);
      service.ingest("small", 6, true);
      TestingSluice sluice = new TestingSluice(service.kafka, home);
      trainRewindAndFork(service, sluice);

      Set<String> asked =
          Stream.of("large-1".repeat(9), "small-0", "small-3")
              .collect(Collectors.toCollection(TreeSet::new));
      IntStream.range(0, 900).forEach(i -> asked.add("large-" + i));
      IntStream.range(0, 97).forEach(i -> asked.add("medium-" + i));
      assertThat(asked).hasSize(1000);
      Path file = Files.write(home.resolve("ids"), asked);
      JsonNode rows = sluice.json("lineage", "--documents", file.toString(), "--json", "-");

      for (String run : List.of("traced", "branch")) {
        Collection<Place> stream = stream(service, run, place -> asked.contains(place.document()));
        LongFunction<Integer> owner = RunHistory.read(service.kafka, run).state().lineage()::owner;
        assertThat(places(rows, run, false))
            .isNotEmpty()
            .isEqualTo(those(stream, place -> owner.apply(place.batch()) == place.timeline()));
        assertThat(places(rows, run, true))
            .containsAll(those(stream, place -> owner.apply(place.batch()) != place.timeline()));
      }
      assertThat(places(rows, "traced", true)).isNotEmpty();

      JsonNode back = sluice.json("lineage", "--run", "traced", "--batch", "12..16", "--json", "-");
      Set<Place> batches =
          those(
              stream(service, "traced", place -> true),
              place ->
                  12 <= place.batch()
                      && place.batch() <= 16
                      && place.timeline() == (place.batch() <= REWOUND_TO ? 0 : 1));
      assertThat(places(back, "traced", false)).isNotEmpty().isEqualTo(batches);

      assertThat(sluice.does("lineage", "--run", "branch", "--document", "large-99999"))
          .contains("0 documents, 0 times in a batch", "in no batch: large-99999");
      assertThat(sluice.run("lineage", "--run", "traced", "--batch", "9..99999").err())
          .contains("--batch must end in [9, ", "] for run traced: '9..99999'");
      assertThat(sluice.run("lineage", "--run", "traced").err())
          .contains("give documents, by --document or --documents, or batches, by --batch");
    }
  }

  private static void trainRewindAndFork(TestingService service, TestingSluice sluice) {
    RunInfo run = service.start(service.fixed("traced", 0));
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(BEFORE);
      sluice.does("run", "rewind", "traced", "--to-batch", Long.toString(REWOUND_TO));
      trainer.resume(REWOUND_TO);
      trainer.train(AFTER);
      sluice.does("run", "fork", "traced", "--at-batch", "20", "--as", "branch");
      RunInfo branch = RunDirectory.find(service.kafka, "branch", Patience.MINUTE);
      try (SteeredTrainer other = trainer.forked(branch, 20)) {
        other.train(AFTER);
      }
    }
  }

  /** What the trainers were given, and what was emitted and taken back before that. */
  private static Collection<Place> stream(
      TestingService service, String run, Predicate<Place> wanted) {
    Set<Place> places =
        Patience.await(
            Patience.MINUTE,
            () -> named(service, read(service, run)),
            found -> found.stream().anyMatch(place -> place.batch() == AFTER));
    return those(places, wanted);
  }

  /** With the ids of documents where the stream has their hashes. */
  private static Set<Place> named(TestingService service, Set<Place> places) {
    if (service.dataset.getDocumentIds().equals(PackingSettings.NAMES)) {
      return places;
    }
    Map<String, String> names = new HashMap<>();
    for (String domain : service.dataset.getDomains()) {
      IntStream.range(0, 2000)
          .mapToObj(i -> domain + "-" + i)
          .forEach(id -> names.put(IdHash.of(domain, id), id));
    }
    return places.stream()
        .map(
            place ->
                new Place(
                    names.get(place.document()),
                    place.domain(),
                    place.lane(),
                    place.block(),
                    place.timeline(),
                    place.batch(),
                    place.sequence()))
        .collect(Collectors.toSet());
  }

  private static Set<Place> read(TestingService service, String run) {
    Set<Place> places = new HashSet<>();
    new TopicScan(service.kafka)
        .read(List.of(service.kafka.topics().stream(run)), message -> add(message, places));
    return places;
  }

  private static void add(ConsumerRecord<byte[], byte[]> message, Set<Place> places) {
    try {
      StreamHeader header =
          StreamHeader.decode(message.headers().lastHeader(StreamHeader.KEY).value());
      TokenBlock block = WireCodec.decode(TokenBlock.class, message.value());
      for (String document : block.getDocumentIds()) {
        if (!document.isEmpty()) {
          places.add(
              new Place(
                  document,
                  block.getDomain(),
                  block.getLane(),
                  block.getOrdinal(),
                  header.timeline(),
                  header.batch(),
                  header.index()));
        }
      }
    } catch (WireFormatException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<Place> places(JsonNode rows, String run, boolean abandoned) {
    Set<Place> places = new HashSet<>();
    for (JsonNode row : rows) {
      if (row.get("run").asText().equals(run) && row.get("abandoned").asBoolean() == abandoned) {
        places.add(
            new Place(
                row.get("document").asText(),
                row.get("domain").asText(),
                row.get("lane").asInt(),
                row.get("block").asLong(),
                row.get("timeline").asInt(),
                row.get("batch").asLong(),
                row.get("sequence").asLong()));
      }
    }
    return those(places, place -> true);
  }

  /** Those up to the last batch that was trained on; behind it, the stream still grows. */
  private static Set<Place> those(Collection<Place> places, Predicate<Place> wanted) {
    return places.stream()
        .filter(place -> place.batch() <= AFTER)
        .filter(wanted)
        .collect(Collectors.toSet());
  }
}
