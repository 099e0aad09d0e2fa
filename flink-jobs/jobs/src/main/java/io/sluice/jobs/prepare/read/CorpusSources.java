package io.sluice.jobs.prepare.read;

import io.sluice.corpus.range.Pauses;
import io.sluice.corpus.range.RangeReader;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.io.Serializable;

/**
 * Where a corpus has documents that it names by ranges of files.
 *
 * @param roots below which files are read
 * @param log says which ranges were refused before
 */
public record CorpusSources(SourceRoots roots, SupplyLog log) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Opens nothing yet, and knows which ranges were refused until now. */
  RangeDocuments open(KafkaAccess kafka, DatasetSpec spec, Tokenizer tokenizer) {
    return new RangeDocuments(
        new RangeReader(roots, Pauses.GROWING), tokenizer, log.decisions(kafka, spec));
  }
}
