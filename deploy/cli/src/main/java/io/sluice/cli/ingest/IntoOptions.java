package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.schema.KafkaAccess;
import picocli.CommandLine.Option;

/** The options of the corpus that documents go into. */
final class IntoOptions {
  @Option(names = "--create", description = "Make the domain though no dataset names it.")
  private boolean create;

  @Option(
      names = "--take-over",
      description =
          "Go on behind an ingest of the domain that another machine was at, and that has ended"
              + " without saying so.")
  private boolean takeOver;

  @Option(names = "--end", description = "Mark the domain as ended: no document will follow.")
  private boolean end;

  boolean create() {
    return create;
  }

  boolean takeOver() {
    return takeOver;
  }

  boolean end() {
    return end;
  }

  /** An ingestion as the options say. */
  CorpusIngest ingest(
      KafkaAccess access, IngestSettings settings, IngestListener progress, int threads) {
    return new CorpusIngest(access, settings, create, takeOver, end, progress, threads);
  }
}
