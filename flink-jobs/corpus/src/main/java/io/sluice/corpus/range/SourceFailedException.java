package io.sluice.corpus.range;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file could not be read for a reason that may pass: nothing is known of what is in it. */
public final class SourceFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  SourceFailedException(String message, Exception cause) {
    super(message, cause);
  }

  /** The one that a library has put into another failure; null if there is none. */
  static @Nullable SourceFailedException in(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SourceFailedException passing) {
        return passing;
      }
    }
    return null;
  }
}
