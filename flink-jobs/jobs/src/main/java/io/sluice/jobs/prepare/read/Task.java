package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import java.util.concurrent.Callable;

/**
 * What is left of a record's reading, on any thread and at any time.
 *
 * @param bytes that it takes beside the record itself
 */
record Task(long bytes, Callable<Reading> reading) {
  /** Nothing is left. */
  static Task of(Reading reading) {
    return new Task(0, () -> reading);
  }
}
