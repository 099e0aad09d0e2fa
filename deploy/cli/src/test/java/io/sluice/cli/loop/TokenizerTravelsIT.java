package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TokenizerFiles;
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
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokenizers' files that are gone, or others now, when their datasets are prepared and read. */
class TokenizerTravelsIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Path COMMITTED =
      Path.of("../../flink-jobs/jobs/src/test/resources/tokenizers/small/word-piece.json");

  private static final Path IDS =
      Path.of("../../flink-jobs/corpus/src/test/resources/tokens/megatron-i4.idx");

  @TempDir Path directory;

  @Test
  void aDatasetKeepsTheFileThatItWasAppliedWith() throws Exception {
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    Path file = unlikeAnyOther(directory.resolve("tokenizer.json"));
    Path model = model();
    Path fetched = fetched(model, "a".repeat(40));
    Map<String, byte[]> contents =
        Map.of("file", Files.readAllBytes(file), "model", Files.readAllBytes(fetched));
    try (LocalService service = LocalService.start(settings, event -> {})) {
      apply(service.access(), "file", "file:" + file);
      apply(
          service.access(), "model", "hf:" + model.getFileName().toString().substring(8) + "@main");
    }
    Files.delete(file);
    fetched(model, "b".repeat(40));
    try (LocalService service = LocalService.start(settings, event -> {})) {
      KafkaAccess access = service.access();
      ingest(access);
      TestingSluice sluice = new TestingSluice(access, directory);
      idsAreCheckedBy(
          sluice, "dataset:file", "sha256:" + TokenizerFiles.sha256(contents.get("file")));
      for (String dataset : contents.keySet()) {
        PreparedTopic prepared =
            new PreparedTopic(access, access.topics().blocks(dataset, "letters"));
        Patience.await(IDLE, prepared::hasEnded);
        Path run = directory.resolve("run.yaml");
        Files.writeString(
            run,
            "run: r-"
                + dataset
                + "\ndataset: "
                + dataset
                + "\nbatch: 1 sequences\ninitial-weights: uniform\npolicy: static\n");
        sluice.does("run", "apply", "-f", run.toString());

        assertThat(sluice.does("cat", "--run", "r-" + dataset, "-n", "1", "--timeout", "60"))
            .contains("a b c d");
        assertThat(loadedFromPython(access, "r-" + dataset)).isEqualTo(contents.get(dataset));
      }
    }
  }

  /** Ids of another tokenizer, the least of which are in this one's vocabulary, too. */
  private static void idsAreCheckedBy(TestingSluice sluice, String... names) {
    int vocabulary = new DatasetCatalog(sluice.access()).require("file").getVocabulary();
    for (String name : names) {
      String domain = "--domain=ids-" + name.substring(0, 6);
      assertThat(sluice.run("ingest", "--create", domain, "--tokenized-by=" + name, IDS + "").err())
          .as(name)
          .contains("token 1 must be in [0, " + vocabulary + "): found 50256");
    }
    assertThat(sluice.run("ingest", "--domain=ids", "--tokenized-by=sha256:ab", "x").err())
        .contains("--tokenized-by: tokenizerSha256 must be 64 digits of hex: found 'ab'");
    assertThat(sluice.run("ingest", "--domain=ids", "--tokenized-by=dataset:no", "x").err())
        .contains("dataset must be one of [file, model]: 'no'");
  }

  private static void apply(KafkaAccess access, String name, String tokenizer) {
    ApplyDataset.apply(
        access,
        DatasetSpecs.resolve(
            new DatasetSettings(name, tokenizer, 8, 1, 1, 0, List.of("letters"), 1)));
  }

  /** A model in this machine's cache, as the tools of Hugging Face lay it out. */
  private static Path model() throws IOException {
    Path cache = Path.of(System.getenv("HF_HUB_CACHE"));
    return Files.createDirectories(cache).resolve("models--sluice-" + UUID.randomUUID());
  }

  /** What the branch of a model is at a commit that was just fetched. */
  private static Path fetched(Path model, String commit) throws IOException {
    Path refs = Files.createDirectories(model.resolve("refs"));
    Files.writeString(refs.resolve("main"), commit);
    return unlikeAnyOther(
        Files.createDirectories(model.resolve("snapshots").resolve(commit))
            .resolve("tokenizer.json"));
  }

  /** What Python finds to be the file of a run's tokenizer, which it fetches for itself. */
  private byte[] loadedFromPython(KafkaAccess access, String run) throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    Path cache = directory.resolve("python");
    String found =
        TestingPython.succeed(
            List.of(
                "-c",
                "import os, sys; os.environ['SLUICE_CACHE'] = sys.argv[2]; import sluice;"
                    + " print(sluice.tokenizer(sys.argv[3], sys.argv[1]).path)",
                access.bootstrapServers(),
                cache.toString(),
                run));
    Path path = Path.of(found.strip());
    assertThat(path).startsWith(cache);
    return Files.readAllBytes(path);
  }

  /** A tokenizer that no cache on this machine has. */
  private static Path unlikeAnyOther(Path file) throws IOException {
    String blanks =
        UUID.randomUUID().toString().replaceAll("[0-7-]", " ").replaceAll("[8-9a-f]", "\t");
    return Files.writeString(file, Files.readString(COMMITTED) + blanks);
  }

  private void ingest(KafkaAccess access) throws IOException {
    Path file = directory.resolve("letters.jsonl");
    Files.writeString(file, "{\"id\": \"d\", \"text\": \"a b c d e f g h i j k l m n o p q r\"}\n");
    IngestSettings settings = new IngestSettings("letters", Format.JSONL, 1 << 20);
    new CorpusIngest(access, settings, false, true, bytes -> {}).paths(List.of(file));
  }
}
