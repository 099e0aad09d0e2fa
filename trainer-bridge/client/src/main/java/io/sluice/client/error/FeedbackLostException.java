package io.sluice.client.error;

/** Feedback that the broker did not acknowledge; the publisher takes no more. */
public final class FeedbackLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FeedbackLostException(String topic, Throwable cause) {
    super("feedback was not acknowledged by " + topic + ": " + cause.getMessage(), cause);
  }
}
