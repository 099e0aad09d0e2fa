package io.sluice.control.error;

/** A topic of a deployment is not there, as where another prefix is meant. */
public final class MissingTopicException extends BadInputException {
  private static final long serialVersionUID = 1L;

  /** Names the topic. */
  public MissingTopicException(String topic) {
    super("topic does not exist: " + topic);
  }
}
