package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.ShuffleRelease;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalServiceIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final DatasetSpec DATASET =
      DatasetSpecs.resolve(new DatasetSettings("small", "bytes", 16, 1, 1, 0, List.of("java"), 1));

  private static final DatasetSpec BY_THE_NEWEST_RULE =
      DatasetSpecs.resolve(
          new DatasetSettings(
              "small",
              List.of("java"),
              1,
              new TokenSettings("bytes"),
              new PackingSettings(16),
              new ShuffleSettings(1, Duration.ZERO, 1),
              new HeldOutSettings(0, 0, HeldOutRule.NEWEST)));

  private static final IngestSettings LINES =
      new IngestSettings("java", Format.LINES, IngestSettings.DEFAULT_DOCUMENT);

  private final List<String> events = new CopyOnWriteArrayList<>();

  @TempDir Path directory;

  @Test
  void aDatasetIsPreparedAndGoesOnAfterARestart() throws Exception {
    Path first = write("first.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight");
    Path second = write("second.txt", "nine\nten\neleven\ntwelve\nthirteen\nfourteen");
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    try (LocalService service = LocalService.start(settings, events::add)) {
      assertThat(ApplyDataset.apply(service.access(), DATASET))
          .isEqualTo("dataset small is published");
      assertThat(ApplyDataset.apply(service.access(), DATASET))
          .isEqualTo("dataset small is unchanged");
      assertThat(ApplyDataset.apply(service.access(), BY_THE_NEWEST_RULE))
          .as("a dataset that an earlier release made keeps its rules")
          .isEqualTo("dataset small is unchanged");
      assertThat(ingest(service.access(), first, false).documents()).isEqualTo(8);
      await(() -> !blocks(service.access()).isEmpty());
      service.requireRunning();
      assertThatThrownBy(() -> LocalService.start(settings, events::add))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("used by one service at a time");
    }
    try (LocalService service = LocalService.start(settings, events::add)) {
      assertThat(ingest(service.access(), second, true).documents()).isEqualTo(6);
      await(() -> last(service.access()) instanceof EndOfDomain);
      List<TokenBlock> blocks = blocks(service.access());
      assertThat(((EndOfDomain) last(service.access())).getSize()).isEqualTo(blocks.size());
      assertThat(blocks)
          .extracting(TokenBlock::getOrdinal)
          .containsExactlyElementsOf(LongStream.range(0, blocks.size()).boxed().toList());
      assertThat(blocks.stream().flatMap(block -> block.getDocumentIds().stream()))
          .contains("first.txt:1", "first.txt:8", "second.txt:1", "second.txt:6");
      assertThatThrownBy(() -> ingest(service.access(), first, false))
          .isInstanceOf(BadInputException.class)
          .hasMessageStartingWith("domain 'java' has ended: no document may follow");
    }
    assertThat(events).contains("preparing dataset small: java");
  }

  @Test
  void documentsOfALiveDomainArriveByTimeAndOnceAlsoAfterRestarts() throws Exception {
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    Map<String, Integer> expected = new TreeMap<>();
    int before = 0;
    for (int start = 1; start <= 3; start++) {
      List<String> lines = new ArrayList<>();
      for (int line = 1; line <= 8; line++) {
        lines.add("document " + line + " of start " + start);
        expected.put("start" + start + ".txt:" + line, lines.get(line - 1).length() + 1);
      }
      try (LocalService service = LocalService.start(settings, events::add)) {
        ApplyDataset.apply(service.access(), live(Duration.ofSeconds(1)));
        ingest(service.access(), write("start" + start + ".txt", String.join("\n", lines)), false);
        long documents = 8L * start;
        await(() -> releases(service.access()).contains(documents));
        assertThat(releases(service.access())).isSorted().doesNotHaveDuplicates();
        assertThat(blocks(service.access())).hasSizeGreaterThan(before);
        before = blocks(service.access()).size();
      }
    }
    try (LocalService service = LocalService.start(settings, events::add)) {
      assertThat(ApplyDataset.apply(service.access(), live(Duration.ofSeconds(2))))
          .isEqualTo("dataset small is changed: shuffleWaitMillis: 1000 -> 2000");
      assertThatThrownBy(() -> ApplyDataset.apply(service.access(), live(Duration.ZERO)))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining(
              "for this change give it another name: shuffleWaitMillis: 2000 -> 0");
      ingest(service.access(), write("last.txt", "the end"), true);
      expected.put("last.txt:1", 8);
      await(() -> last(service.access()) instanceof EndOfDomain);
      Map<String, Integer> found = new TreeMap<>();
      for (TokenBlock block : blocks(service.access())) {
        for (int part = 0; part < block.getDocumentIds().size(); part++) {
          int length = block.getDocumentLengths().get(part);
          found.merge(block.getDocumentIds().get(part), length, Integer::sum);
        }
      }
      found.remove("");
      assertThat(found).isEqualTo(expected);
    }
  }

  private static DatasetSpec live(Duration shuffleWait) {
    return DatasetSpecs.resolve(
        new DatasetSettings("small", "bytes", 16, 100, 1, 0, List.of("java"), 1)
            .with(new ShuffleSettings(100, shuffleWait, 1)));
  }

  private static List<Long> releases(KafkaAccess access) {
    List<Long> releases = new ArrayList<>();
    new TopicScan(access)
        .read(
            List.of(access.topics().releases("small")),
            message ->
                releases.add(
                    WireCodec.decode(ShuffleRelease.class, message.value()).getDocuments()));
    return releases;
  }

  private static IngestReport ingest(KafkaAccess access, Path file, boolean end) {
    return new CorpusIngest(access, LINES, false, end, bytes -> {}).paths(List.of(file));
  }

  private static List<TokenBlock> blocks(KafkaAccess access) {
    return records(access).stream()
        .filter(TokenBlock.class::isInstance)
        .map(TokenBlock.class::cast)
        .toList();
  }

  private static Object last(KafkaAccess access) {
    List<SpecificRecordBase> records = records(access);
    return records.isEmpty() ? "nothing" : records.get(records.size() - 1);
  }

  private static List<SpecificRecordBase> records(KafkaAccess access) {
    List<SpecificRecordBase> records = new ArrayList<>();
    new TopicScan(access)
        .read(
            List.of(access.topics().blocks("small", "java")),
            message -> records.add(WireCodec.decode(message.value())));
    return records;
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static void await(BooleanSupplier condition) {
    Patience.await(IDLE, condition);
  }
}
