package io.sluice.lab.chaos;

import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.lab.chaos.history.Digest;
import io.sluice.lab.chaos.history.History;
import io.sluice.lab.chaos.history.Outcome;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Generated documents, and the dataset of them, which is sealed into a store.
 *
 * @param directory of the documents and the store
 * @param history of what is ingested
 */
record WorkloadData(KafkaAccess kafka, Path directory, History history) {
  /** The dataset's name. */
  static final String DATASET = "chaos";

  /** Its domains. */
  static final List<String> DOMAINS = List.of("web", "code", "books");

  private static final int[] DOCUMENTS = {3000, 1000, 300};
  private static final int TOKENS = 64;

  /** Publishes the dataset and ingests all of its documents. */
  void prepare() {
    DatasetSpec resolved =
        DatasetSpecs.resolve(
            new DatasetSettings(
                DATASET,
                DOMAINS,
                1,
                new TokenSettings("bytes"),
                new PackingSettings(TOKENS, PackingSettings.CONCAT, 0, 1, PackingSettings.HASHES),
                new ShuffleSettings(100, Duration.ZERO, 7),
                new HeldOutSettings(0)));
    ApplyDataset.apply(
        kafka, DatasetSpec.newBuilder(resolved).setStore("file://" + store()).build());
    for (int i = 0; i < DOMAINS.size(); i++) {
      String domain = DOMAINS.get(i);
      IngestSettings lines =
          new IngestSettings(domain, Format.LINES, IngestSettings.DEFAULT_DOCUMENT);
      List<String> documents = documents(domain, DOCUMENTS[i]);
      ingested(Outcome.INVOKE, domain, documents);
      new CorpusIngest(kafka, lines, false, true, bytes -> {})
          .paths(List.of(write(domain + ".txt", String.join("\n", documents))));
      ingested(Outcome.OK, domain, documents);
    }
  }

  private static List<String> documents(String domain, int count) {
    Random random = new Random(domain.hashCode());
    return random
        .longs(count)
        .mapToObj(number -> domain + " " + Long.toHexString(number).repeat(6))
        .toList();
  }

  private void ingested(Outcome outcome, String domain, List<String> documents) {
    for (String text : documents) {
      history.add(
          outcome, "ingest", line -> line.put("domain", domain).put("text", Digest.of(text)));
    }
  }

  /** The folder that the blocks are sealed into. */
  Path store() {
    return directory.resolve("store");
  }

  /** Writes a file next to the documents. */
  Path write(String name, String text) {
    try {
      Files.createDirectories(directory);
      return Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + name + " in " + directory, e);
    }
  }
}
