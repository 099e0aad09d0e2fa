package io.sluice.corpus.document;

import java.util.function.LongConsumer;

/** Told how an ingestion goes on: how many bytes of the files were read each time. */
@FunctionalInterface
public interface IngestListener extends LongConsumer {
  /** A document was written. */
  default void document() {}
}
