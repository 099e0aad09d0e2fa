package io.sluice.cli.ingest;

import io.sluice.schema.KafkaAccess;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * An ingestion into a domain of a deployment, from opening the corpus to its end marker.
 *
 * @param create make a domain that no dataset names
 * @param end mark the domain as ended afterwards
 * @param progress told how many bytes of the files were read each time
 */
public record CorpusIngest(
    KafkaAccess access,
    IngestSettings settings,
    boolean create,
    boolean end,
    LongConsumer progress) {
  /** Ingests files and folders; see {@link Ingestor#paths}. */
  public IngestReport paths(List<Path> paths) {
    return write(ingestor -> ingestor.paths(paths));
  }

  /** Ingests a stream; see {@link Ingestor#stream}. */
  public IngestReport stream(InputStream in) {
    return write(ingestor -> ingestor.stream(in));
  }

  private IngestReport write(Function<Ingestor, IngestReport> ingest) {
    KnownDomains.open(access, settings.domain(), create);
    try (CorpusWriter writer = new CorpusWriter(access, settings.domain())) {
      IngestReport report =
          ingest.apply(new Ingestor(settings, writer, InstantSource.system(), progress));
      writer.flush();
      // An input of which nothing could be used is more likely a mistake than an empty domain.
      boolean empty = report.documents() == 0 && report.files() > 0;
      if (!end || empty || report.givenUp() > 0) {
        return report;
      }
      writer.end();
      return report.withEnd();
    }
  }
}
