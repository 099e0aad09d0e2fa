package io.sluice.corpus.file;

import java.io.IOException;

/** A file is not the one any more that was found, so that the rest of it is another's. */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says which file, and how it was changed. */
  public FileChangedException(String message) {
    super(message);
  }
}
