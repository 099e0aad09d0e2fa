package io.sluice.cli.ingest.file;

/** A file or line that is no document; the message is the dead letter's reason. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedException(String reason) {
    super(reason);
  }
}
