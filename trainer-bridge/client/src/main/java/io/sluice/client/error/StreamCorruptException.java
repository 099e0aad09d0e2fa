package io.sluice.client.error;

/** Records of a run that contradict each other: two writers disagreed, or a topic was edited. */
public final class StreamCorruptException extends StreamException {
  private static final long serialVersionUID = 1L;

  public StreamCorruptException(String message) {
    super(message);
  }
}
