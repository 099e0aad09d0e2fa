package io.sluice.corpus.file;

import java.io.IOException;

/** A file is not the one any more that was found, so that the rest of it is another's. */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean gone;

  private FileChangedException(String message, boolean gone) {
    super(message);
    this.gone = gone;
  }

  /** Of one that is another by now. */
  public static FileChangedException changed(String message) {
    return new FileChangedException(message, false);
  }

  /** Of one that is no longer there. */
  public static FileChangedException gone(String message) {
    return new FileChangedException(message, true);
  }

  /** Whether there is none any more. */
  public boolean isGone() {
    return gone;
  }
}
