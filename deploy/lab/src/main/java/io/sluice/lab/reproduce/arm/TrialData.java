package io.sluice.lab.reproduce.arm;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.domain.EndedDomains;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.local.LocalService;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Brings the texts of trials into the service: files, ingest, PrepareJob. */
final class TrialData {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHUFFLE_BUFFER = 10_000;

  private final LocalService service;
  private final Path directory;

  /**
   * Brings texts by way of files.
   *
   * @param directory of the files
   */
  TrialData(LocalService service, Path directory) {
    this.service = service;
    this.directory = directory;
  }

  /**
   * Publishes a dataset, ingests its documents and lets it be prepared. What is there already, of
   * the same seed, stays.
   */
  DatasetSpec bring(String name, Texts texts, DomainNames names, long seed, int sequenceLength) {
    KafkaAccess access = service.access();
    List<String> domains = texts.domains().keySet().stream().map(names::outer).toList();
    DatasetSpec spec =
        DatasetSpecs.resolve(
            new DatasetSettings(
                name,
                domains,
                1,
                new TokenSettings("bytes"),
                new PackingSettings(sequenceLength),
                new ShuffleSettings(SHUFFLE_BUFFER, Duration.ZERO, seed),
                new HeldOutSettings(texts.heldOut(), texts.heldOutTokens(), HeldOutRule.NEWEST)));
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
    }
    DatasetCatalog catalog = new DatasetCatalog(access);
    if (catalog.find(name).isEmpty()) {
      catalog.publish(spec);
    }
    service.prepare(spec);
    // What was brought before has its end; each waits for the broker more than it computes.
    EndedDomains ended = new EndedDomains(access);
    texts.domains().entrySet().parallelStream()
        .filter(each -> !ended.has(names.outer(each.getKey())))
        .forEach(each -> ingest(access, names.outer(each.getKey()), each.getValue()));
    return spec;
  }

  private void ingest(KafkaAccess access, String domain, List<Passage> passages) {
    Path file = write(domain, passages);
    IngestReport report =
        new CorpusIngest(access, IngestSettings.of(domain), true, true, bytes -> {})
            .paths(List.of(file));
    if (report.documents() + report.known() < passages.size()) {
      throw new CheckFailedException(
          "domain "
              + domain
              + " must have each of its "
              + passages.size()
              + " documents ingested: "
              + report.documents()
              + "; "
              + report.firstRefusals());
    }
  }

  private Path write(String domain, List<Passage> passages) {
    Path file = directory.resolve(domain + ".jsonl");
    try {
      Files.createDirectories(directory);
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        for (Passage passage : passages) {
          out.write(JSON.writeValueAsString(Map.of("id", passage.id(), "text", passage.text())));
          out.newLine();
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
