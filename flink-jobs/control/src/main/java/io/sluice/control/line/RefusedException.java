package io.sluice.control.line;

/** A file or line that is no document; the message is the dead letter's reason. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A refusal with its reason. */
  public RefusedException(String reason) {
    super(reason);
  }
}
