package io.sluice.client.error;

/** A measurement that no run could use; it was not sent. */
public final class InvalidFeedbackException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidFeedbackException(String message) {
    super(message);
  }
}
