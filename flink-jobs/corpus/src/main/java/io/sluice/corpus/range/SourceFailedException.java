package io.sluice.corpus.range;

import java.io.IOException;

/** A file could not be read for a reason that may pass: nothing is known of what is in it. */
public final class SourceFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  SourceFailedException(String message, IOException cause) {
    super(message, cause);
  }
}
