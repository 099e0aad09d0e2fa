package io.sluice.cli.ingest.corpus;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.document.RangeIngestor;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.KafkaAccess;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/**
 * An ingestion into a domain of a deployment, from opening the corpus to its end marker.
 *
 * @param create make a domain that no dataset names
 * @param takeOver believe that an ingest of the domain that another machine was at has ended
 * @param end mark the domain as ended afterwards
 * @param progress told of what was read and written
 * @param threads that make documents, beside the one that reads
 */
public record CorpusIngest(
    KafkaAccess access,
    IngestSettings settings,
    boolean create,
    boolean takeOver,
    boolean end,
    IngestListener progress,
    int threads) {
  /** One that takes nothing over, and makes documents on all processors. */
  public CorpusIngest(
      KafkaAccess access,
      IngestSettings settings,
      boolean create,
      boolean end,
      IngestListener progress) {
    this(
        access, settings, create, false, end, progress, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Ingests what of files and folders is not in the corpus; see {@link Ingestor#paths}.
   *
   * @throws io.sluice.control.error.BadInputException also if another ingest of files is under way
   */
  public IngestReport paths(List<Path> paths) {
    return files(SourceFiles.local(paths, settings.gitignore()));
  }

  /** Ingests what of files that were listed is not in the corpus; see {@link #paths}. */
  public IngestReport files(SourceFiles files) {
    return once(files, false, sink -> ingestor(sink).files(files));
  }

  /**
   * The same by reference: the corpus says which files have the documents, and whoever prepares it
   * reads them there; see {@link RangeIngestor}.
   *
   * @throws BadInputException also if properties are asked for, which no reference names
   */
  public IngestReport reference(SourceFiles files) {
    if (!settings.fields().properties().isEmpty()) {
      throw new BadInputException("--property-field does not go with --by-reference");
    }
    return once(
        files,
        true,
        sink -> new RangeIngestor(settings, sink, InstantSource.system(), progress).files(files));
  }

  /**
   * The only ingest of files into the domain while it lasts.
   *
   * @param files that it may read
   * @param byReference whether their documents stay in them
   * @param ingest writes to what it is given, and says what it did
   */
  public IngestReport once(
      SourceFiles files, boolean byReference, Function<DocumentSink, IngestReport> ingest) {
    String corpus = KnownDomains.open(access, settings.domain(), create);
    try (CorpusWriter writer = new CorpusWriter(access, settings.domain())) {
      IngestSession session =
          IngestSession.begin(
              access, writer, settings.domain(), corpus, takeOver, IngestedFiles.folder());
      try {
        LetterSources letters = new LetterSources(settings, files, byReference);
        OnceSink once = new OnceSink(writer, session, settings, letters);
        IngestReport report = ingest.apply(once);
        once.flush();
        session.end();
        return ended(report, writer);
      } catch (RuntimeException e) {
        session.abandon(e);
        throw e;
      }
    }
  }

  /** Ingests a stream; see {@link Ingestor#stream}. */
  public IngestReport stream(InputStream in) {
    KnownDomains.open(access, settings.domain(), create);
    try (CorpusWriter writer = new CorpusWriter(access, settings.domain())) {
      IngestReport report = ingestor(writer).stream(in);
      writer.flush();
      return ended(report, writer);
    }
  }

  private Ingestor ingestor(DocumentSink sink) {
    return new Ingestor(settings, sink, InstantSource.system(), progress, threads);
  }

  private IngestReport ended(IngestReport report, CorpusWriter writer) {
    // An input of which nothing could be used is more likely a mistake than an empty domain.
    boolean empty = report.documents() + report.known() == 0 && report.files() > 0;
    if (!end || empty || report.givenUp() > 0) {
      return report;
    }
    writer.end();
    return report.withEnd();
  }
}
