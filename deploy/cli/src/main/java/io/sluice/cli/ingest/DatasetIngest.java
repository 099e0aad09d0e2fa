package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.FollowedTopics;
import io.sluice.cli.ingest.corpus.SourcesIngest;
import io.sluice.cli.ingest.source.SourceParts;
import io.sluice.cli.ingest.source.SourcePath;
import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.follow.FollowedFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The {@code ingest --dataset} of a person: says how far it is, and what came of each domain.
 *
 * @param name of the dataset
 * @param takeOver as {@link CorpusIngest} has it
 * @param threads that make documents, for all domains together
 */
record DatasetIngest(
    KafkaAccess access, String name, boolean takeOver, int threads, IngestConsole console) {
  /**
   * Ingests all sources as they are now.
   *
   * @param end mark the domains as ended of which everything could be read
   * @return what was done, for each domain
   */
  Map<String, IngestReport> once(boolean end) {
    DatasetSpec dataset = dataset();
    try (FileStores stores = new FileStores(S3Settings.usual(console::say))) {
      SourceParts parts = new SourceParts();
      for (DatasetSource source : ingested(dataset)) {
        if (source.getTopic().isEmpty()) {
          parts.add(dataset, source, stores);
        } else {
          parts.add(source);
        }
      }
      Map<String, IngestReport> reports = ingest(dataset, parts, end);
      console.referred(reports.values());
      return reports;
    }
  }

  /** Ingests what comes to the sources, until the process is stopped. */
  void follow(FollowOptions follow) {
    DatasetSpec dataset = dataset();
    Map<DatasetSource, FollowedFiles> followed = new LinkedHashMap<>();
    for (DatasetSource source : ingested(dataset)) {
      if (source.getTopic().isEmpty()) {
        followed.put(source, new FollowedFiles(SourceParts.format(source)));
      }
    }
    FollowedTopics topics = new FollowedTopics(access, dataset.getSources());
    try (FileStores stores = new FileStores(S3Settings.forever(console::say))) {
      follow.run(
          () -> {
            SourceParts parts = new SourceParts();
            followed.forEach(
                (source, files) ->
                    parts.add(
                        dataset, source, files.due(new SourcePath(dataset, source).files(stores))));
            topics.due().forEach(parts::add);
            if (!parts.areEmpty()) {
              ingest(dataset, parts, false);
            }
          });
    }
  }

  private Map<String, IngestReport> ingest(DatasetSpec dataset, SourceParts parts, boolean end) {
    Map<String, IngestReport> reports =
        console.during(
            name,
            parts.bytes(),
            bar -> new SourcesIngest(access, dataset, takeOver, threads, bar).ingest(parts, end),
            (all, seconds) ->
                all.forEach((domain, report) -> console.summary(domain, report, seconds)));
    parts.byDomain().keySet().stream()
        .filter(domain -> !reports.containsKey(domain))
        .forEach(domain -> console.say("domain " + domain + " has ended: nothing was done"));
    if (!parts.nobodys().isEmpty()) {
      console.say(
          parts.nobodys().size()
              + " files are below folders that name no domain, such as "
              + parts.nobodys().get(0).origin());
    }
    return reports;
  }

  /** The sources but those whose files are blocks in place. */
  private static List<DatasetSource> ingested(DatasetSpec dataset) {
    return dataset.getSources().stream().filter(source -> !source.getInPlace()).toList();
  }

  private DatasetSpec dataset() {
    DatasetSpec dataset = new DatasetCatalog(access).require(name);
    if (!dataset.getSources().isEmpty() && ingested(dataset).isEmpty()) {
      throw new BadInputException(
          "all sources of dataset '" + name + "' are in-place: 'dataset index' reads them");
    }
    if (dataset.getSources().isEmpty()) {
      throw new BadInputException(
          "dataset '"
              + name
              + "' must have sources for --dataset: add them to its file, and apply it again");
    }
    return dataset;
  }
}
