package io.sluice.cli.ingest;

import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;

/** Where an ingestion writes, in order. */
public interface DocumentSink {
  /** Takes the domain's next document. */
  void document(Document document);

  /** Takes an input that could not be used. */
  void deadLetter(DeadLetter letter);
}
