package io.sluice.client.error;

/** A stream state of another run, or one that its run cannot have; the message says what fits. */
public final class InvalidStateException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidStateException(String message) {
    super(message);
  }
}
