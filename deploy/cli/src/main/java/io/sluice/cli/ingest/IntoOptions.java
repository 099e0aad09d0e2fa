package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.cli.options.TakeOver;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.schema.KafkaAccess;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the corpus that documents go into. */
final class IntoOptions {
  @Option(names = "--create", description = "Make the domain though no dataset names it.")
  private boolean create;

  @Mixin private TakeOver takeOver = new TakeOver();

  @Option(names = "--end", description = "Mark the domain as ended: no document will follow.")
  private boolean end;

  boolean create() {
    return create;
  }

  boolean takeOver() {
    return takeOver.wanted();
  }

  boolean end() {
    return end;
  }

  /** An ingestion as the options say. */
  CorpusIngest ingest(
      KafkaAccess access, IngestSettings settings, IngestListener progress, int threads) {
    return new CorpusIngest(access, settings, create, takeOver.wanted(), end, progress, threads);
  }
}
