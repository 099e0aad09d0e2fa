package io.sluice.jobs.prepare.read;

import io.sluice.corpus.range.Pauses;
import io.sluice.corpus.range.RangeReader;
import io.sluice.corpus.range.RootedFiles;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.io.Serializable;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a corpus has documents that it names by ranges of files.
 *
 * @param roots below which files are read
 * @param log says which ranges were refused before
 */
public record CorpusSources(SourceRoots roots, SupplyLog log) implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(CorpusSources.class);

  /** A store is waited for so long at once, and what comes of it is told by the job then. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Opens nothing yet, and knows which ranges were refused until now. */
  RangeDocuments open(KafkaAccess kafka, DatasetSpec spec, Tokenizer tokenizer) {
    return new RangeDocuments(
        new RangeReader(
            new RootedFiles(roots, new FileStores(new S3Settings(PATIENCE, LOG::warn))),
            Pauses.GROWING),
        tokenizer,
        log.decisions(kafka, spec));
  }
}
