package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.client.block.Sequence;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.IdHash;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of many documents with long ids, on their way to the clients. */
class LongIdsIT {
  private static final Duration IDLE = Duration.ofMinutes(2);

  /** Of a block: as many as there can be in the full test. */
  private static final int DOCUMENTS = Boolean.getBoolean("sluice.full") ? 1 << 16 : 1 << 12;

  /** Bytes of the ids of each domain's documents. */
  private static final Map<String, Integer> DOMAINS = Map.of("long", 1024, "short", 256);

  @TempDir Path directory;

  @Test
  void blocksOfManyLongIdsReachBothClients() throws Exception {
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    try (LocalService service = LocalService.start(settings, event -> {})) {
      KafkaAccess access = service.access();
      TestingSluice sluice = new TestingSluice(access, directory);
      apply(access, PackingSettings.NAMES);
      apply(access, PackingSettings.HASHES);
      for (String domain : DOMAINS.keySet()) {
        ingest(access, domain);
      }
      for (String ids : PackingSettings.DOCUMENT_IDS) {
        for (String domain : DOMAINS.keySet()) {
          PreparedTopic blocks = new PreparedTopic(access, access.topics().blocks(ids, domain));
          Patience.await(IDLE, blocks::hasEnded);
        }
        Path run = directory.resolve(ids + ".yaml");
        Files.writeString(
            run,
            "run: "
                + ids
                + "\ndataset: "
                + ids
                + "\nbatch: 2 sequences\ninitial-weights: uniform\npolicy: static\n");
        sluice.does("run", "apply", "-f", run.toString());
        Map<String, TokenBlock> blocks = firstBatch(access, ids);
        assertThat(blocks).containsOnlyKeys(DOMAINS.keySet());
        blocks.forEach(
            (domain, block) ->
                assertThat(block.getDocumentIds())
                    .hasSize(DOCUMENTS)
                    .contains(
                        ids.equals(PackingSettings.HASHES)
                            ? IdHash.of(domain, id(domain, 7))
                            : named(domain)));
        assertThat(documentsInPython(access, ids)).isEqualTo(DOCUMENTS + " " + DOCUMENTS);
      }

      JsonNode rows =
          sluice.json(
              "lineage", "--run", "hashes", "--document", id("long", DOCUMENTS - 1), "--json", "-");
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).get("document").asText()).isEqualTo(id("long", DOCUMENTS - 1));
      assertThat(rows.get(0).get("domain").asText()).isEqualTo("long");
    }
  }

  private static void apply(KafkaAccess access, String ids) {
    ApplyDataset.apply(
        access,
        DatasetSpecs.resolve(
            new DatasetSettings(
                ids,
                List.copyOf(DOMAINS.keySet()),
                1,
                new TokenSettings("bytes"),
                new PackingSettings(2 * DOCUMENTS - 1, PackingSettings.CONCAT, 0, 1, ids),
                new ShuffleSettings(1, Duration.ZERO, 1),
                new HeldOutSettings(0))));
  }

  /** The beginning of an id, where a block's ids are too long together. */
  private static String named(String domain) {
    String id = id(domain, 7);
    return DOCUMENTS == 1 << 16 ? id.substring(0, 128) : id;
  }

  private static String id(String domain, int document) {
    return "x".repeat(DOMAINS.get(domain) - 6) + (100_000 + document);
  }

  private void ingest(KafkaAccess access, String domain) throws IOException {
    Path file = directory.resolve(domain + ".jsonl");
    try (BufferedWriter lines = Files.newBufferedWriter(file)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        lines.write("{\"id\": \"" + id(domain, i) + "\", \"text\": \"a\"}\n");
      }
    }
    IngestSettings settings = new IngestSettings(domain, Format.JSONL, 1 << 20);
    new CorpusIngest(access, settings, false, true, bytes -> {}).paths(List.of(file));
  }

  private static Map<String, TokenBlock> firstBatch(KafkaAccess access, String name) {
    RunInfo run = RunDirectory.find(access, name, Patience.MINUTE);
    Map<String, TokenBlock> blocks = new HashMap<>();
    try (Loader stream = Loader.open(access, run, StreamOptions.defaults().observing())) {
      for (Sequence sequence : stream.next(IDLE).sequences()) {
        blocks.put(sequence.block().getDomain(), sequence.block());
      }
    }
    return blocks;
  }

  private static String documentsInPython(KafkaAccess access, String run) throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    return TestingPython.succeed(
            List.of(
                "-c",
                "import sluice, sys;"
                    + " steps = sluice.Loader(sys.argv[2], dp=(0, 1), bootstrap=sys.argv[1],"
                    + " attach=False);"
                    + " whole = next(iter(steps)).whole; steps.close();"
                    + " print(*(len(each) for each in whole.document_lengths))",
                access.bootstrapServers(),
                run))
        .strip();
  }
}
