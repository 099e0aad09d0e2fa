package io.sluice.cli.ingest;

import io.sluice.cli.ingest.source.SourceParts;
import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.follow.FollowedFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The {@code ingest --dataset} of a person: says how far it is, and what came of each domain.
 *
 * @param name of the dataset
 * @param takeOver as {@link CorpusIngest} has it
 * @param threads that make documents, for all domains together
 * @param quiet no progress
 * @param notice told what is waited for
 */
record DatasetIngest(
    KafkaAccess access,
    String name,
    boolean takeOver,
    int threads,
    boolean quiet,
    IngestPrinter printer,
    Consumer<String> notice) {
  /**
   * Ingests all sources as they are now.
   *
   * @param end mark the domains as ended of which everything could be read
   * @return what was done, for each domain
   */
  Map<String, IngestReport> once(boolean end) {
    DatasetSpec dataset = dataset();
    try (FileStores stores = new FileStores(S3Settings.usual(notice))) {
      SourceParts parts = new SourceParts();
      for (DatasetSource source : dataset.getSources()) {
        parts.add(dataset, source, SourceFiles.below(stores, List.of(source.getPath()), false));
      }
      return ingest(dataset, parts, end);
    }
  }

  /** Ingests what comes to the sources, until the process is stopped. */
  void follow(FollowOptions follow) {
    DatasetSpec dataset = dataset();
    Map<DatasetSource, FollowedFiles> followed = new LinkedHashMap<>();
    for (DatasetSource source : dataset.getSources()) {
      followed.put(source, new FollowedFiles(SourceParts.format(source)));
    }
    try (FileStores stores = new FileStores(S3Settings.forever(notice))) {
      follow.run(
          () -> {
            SourceParts parts = new SourceParts();
            followed.forEach(
                (source, files) ->
                    parts.add(
                        dataset,
                        source,
                        files.due(SourceFiles.now(stores, List.of(source.getPath()), false))));
            if (!parts.areEmpty()) {
              ingest(dataset, parts, false);
            }
          });
    }
  }

  private Map<String, IngestReport> ingest(DatasetSpec dataset, SourceParts parts, boolean end) {
    long start = System.nanoTime();
    Map<String, IngestReport> reports;
    try (IngestBar bar = IngestBar.open("ingest " + name, parts.bytes(), quiet, printer.err())) {
      reports = new SourcesIngest(access, dataset, takeOver, threads, bar).ingest(parts, end);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    reports.forEach((domain, report) -> printer.summary(domain, report, seconds));
    parts.byDomain().keySet().stream()
        .filter(domain -> !reports.containsKey(domain))
        .forEach(domain -> notice.accept("domain " + domain + " has ended: nothing was done"));
    if (!parts.nobodys().isEmpty()) {
      notice.accept(
          parts.nobodys().size()
              + " files are below folders that name no domain, such as "
              + parts.nobodys().get(0).origin());
    }
    return reports;
  }

  private DatasetSpec dataset() {
    DatasetSpec dataset = new DatasetCatalog(access).require(name);
    if (dataset.getSources().isEmpty()) {
      throw new BadInputException(
          "dataset '"
              + name
              + "' must have sources for --dataset: add them to its file, and apply it again");
    }
    return dataset;
  }
}
