package io.sluice.corpus.tokens;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file of documents that are token ids already. What the file says of sizes and places is checked
 * before it is believed: what is wrong with a document refuses that document, what is wrong with
 * the file is an {@link IOException}. In memory is one document at a time, at most.
 */
public interface TokenFile extends Closeable {
  /** The next document; null at the end. */
  @Nullable TokenRow next() throws IOException;

  /** Passes over the next documents; the numbers of later ones may say nothing. */
  default void skip(long documents) throws IOException {
    for (long each = 0; each < documents && next() != null; each++) {
      // Where each begins is known from the one before.
    }
  }

  /** The share of the file that was read, from 0 to 1. */
  double done();
}
