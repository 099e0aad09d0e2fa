package io.sluice.jobs.prepare.read;

import io.sluice.control.error.BadInputException;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.Limits;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.PurgedReading;
import io.sluice.schema.TokenDocument;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * What the dataset's job makes of documents that are to be purged, for the {@link PurgedDocument}s
 * in their places.
 */
public final class DocumentReadings implements AutoCloseable {
  private final DatasetSpec spec;
  private final Tokenizer tokenizer;
  private final DocumentReader documents;
  private final PurgedTokens padding;

  /**
   * Those of a dataset.
   *
   * @param tokenizer the dataset's, which is closed with it
   */
  public DocumentReadings(DatasetSpec spec, Tokenizer tokenizer) {
    this.spec = spec;
    this.tokenizer = tokenizer;
    this.documents = new DocumentReader(spec, tokenizer);
    this.padding = new PurgedTokens(spec);
  }

  /**
   * Reads a document as the job does.
   *
   * @param document a {@link Document} or a {@link TokenDocument} that stands in the corpus itself
   * @param domain of the dataset's
   * @throws BadInputException if it has more tokens than what stands in its place can say
   */
  public PurgedReading of(SpecificRecordBase document, String domain) {
    if (!(documents.read(domain, document) instanceof Reading.Accepted accepted)
        || !(accepted.event() instanceof TokenizedDocument tokenized)) {
      return padding.refused();
    }
    PurgedReading made = padding.reading(tokenized);
    try {
      PurgedTokens.require(made);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(
          "document '%s' of domain '%s' cannot be purged for dataset '%s': %s"
              .formatted(Limits.shown(tokenized.id()), domain, spec.getName(), e.getMessage()),
          e);
    }
    return made;
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
