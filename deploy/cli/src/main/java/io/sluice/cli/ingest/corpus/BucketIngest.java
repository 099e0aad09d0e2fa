package io.sluice.cli.ingest.corpus;

import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.KafkaAccess;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * An ingestion of JSONL into buckets of difficulty, each a domain. The files are read twice: for
 * the scores, of which there is one number and one size for each document in memory, and to write.
 */
public final class BucketIngest {
  private final KafkaAccess access;
  private final IngestSettings settings;
  private final String field;
  private final List<String> domains;
  private final IngestListener progress;
  private final int threads;

  /**
   * An ingestion.
   *
   * @param settings with a score's field
   * @param count of buckets, at least 1
   * @param progress told of what was read, twice in all, and of what was written
   * @param threads that make documents, beside the one that reads
   */
  public BucketIngest(
      KafkaAccess access,
      IngestSettings settings,
      int count,
      IngestListener progress,
      int threads) {
    this.access = access;
    this.settings = settings;
    this.field = settings.scoreField().orElseThrow();
    this.domains = Buckets.named(settings.domain(), count);
    this.progress = progress;
    this.threads = threads;
  }

  /** What was done with all documents, and what is in each bucket. */
  public record Report(IngestReport all, List<Buckets.Report> buckets) {}

  /**
   * Ingests files; see {@link Ingestor#files}.
   *
   * @param create make domains that no dataset names
   * @param end mark the domains as ended afterwards
   */
  public Report files(SourceFiles files, boolean create, boolean end) {
    Buckets.Scores scores = new Buckets.Scores(field);
    ingestor(scores, progress::accept).files(files);
    Buckets buckets = Buckets.cut(domains, scores.all());
    domains.forEach(domain -> KnownDomains.open(access, domain, create));
    List<CorpusWriter> writers = new ArrayList<>();
    try {
      domains.forEach(domain -> writers.add(new CorpusWriter(access, domain)));
      Buckets.Router router = new Buckets.Router(buckets, writers, scores.all(), field);
      IngestReport report = ingestor(router, progress).files(files);
      writers.forEach(CorpusWriter::flush);
      if (!end || report.givenUp() > 0) {
        return new Report(report, buckets.reports());
      }
      writers.forEach(CorpusWriter::end);
      return new Report(report.withEnd(), buckets.reports());
    } finally {
      writers.forEach(CorpusWriter::close);
    }
  }

  private Ingestor ingestor(DocumentSink sink, IngestListener listener) {
    return new Ingestor(settings, sink, InstantSource.system(), listener, threads);
  }
}
