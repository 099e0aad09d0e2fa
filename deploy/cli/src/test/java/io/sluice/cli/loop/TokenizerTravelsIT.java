package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.CorpusIngest;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tokenizer's file that is gone when its dataset is prepared and read. */
class TokenizerTravelsIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Path COMMITTED =
      Path.of("../../flink-jobs/jobs/src/test/resources/tokenizers/small/word-piece.json");

  @TempDir Path directory;

  @Test
  void aDatasetKeepsTheFileThatItWasAppliedWith() throws Exception {
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    Path file = unlikeAnyOther();
    byte[] content = Files.readAllBytes(file);
    try (LocalService service = LocalService.start(settings, event -> {})) {
      ApplyDataset.apply(
          service.access(),
          DatasetSpecs.resolve(
              new DatasetSettings("words", "file:" + file, 8, 1, 1, 0, List.of("letters"), 1)));
    }
    Files.delete(file);
    try (LocalService service = LocalService.start(settings, event -> {})) {
      KafkaAccess access = service.access();
      ingest(access);
      PreparedTopic prepared =
          new PreparedTopic(access, access.topics().blocks("words", "letters"));
      Patience.await(IDLE, prepared::hasEnded);
      TestingSluice sluice = new TestingSluice(access, directory);
      Path run = directory.resolve("run.yaml");
      Files.writeString(
          run,
          "run: r\ndataset: words\nbatch: 1 sequences\ninitial-weights: uniform\npolicy: static\n");
      sluice.does("run", "apply", "-f", run.toString());

      assertThat(sluice.does("cat", "--run", "r", "-n", "1", "--timeout", "60"))
          .contains("a b c d");
      assertThat(loadedFromPython(access)).isEqualTo(content);
    }
  }

  /** What Python finds to be the file of the run's tokenizer, which it fetches for itself. */
  private byte[] loadedFromPython(KafkaAccess access) throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    Path cache = directory.resolve("python");
    String found =
        TestingPython.succeed(
            List.of(
                "-c",
                "import os, sys; os.environ['SLUICE_CACHE'] = sys.argv[2]; import sluice;"
                    + " print(sluice.tokenizer('r', sys.argv[1]).path)",
                access.bootstrapServers(),
                cache.toString()));
    Path path = Path.of(found.strip());
    assertThat(path).startsWith(cache);
    return Files.readAllBytes(path);
  }

  /** A tokenizer that no cache on this machine has. */
  private Path unlikeAnyOther() throws IOException {
    String blanks =
        UUID.randomUUID().toString().replaceAll("[0-7-]", " ").replaceAll("[8-9a-f]", "\t");
    return Files.writeString(
        directory.resolve("tokenizer.json"), Files.readString(COMMITTED) + blanks);
  }

  private void ingest(KafkaAccess access) throws IOException {
    Path file = directory.resolve("letters.jsonl");
    Files.writeString(file, "{\"id\": \"d\", \"text\": \"a b c d e f g h i j k l m n o p q r\"}\n");
    IngestSettings settings = new IngestSettings("letters", Format.JSONL, 1 << 20);
    new CorpusIngest(access, settings, false, true, bytes -> {}).paths(List.of(file));
  }
}
