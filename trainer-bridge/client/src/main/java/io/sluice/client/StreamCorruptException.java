package io.sluice.client;

/** Records of a run that contradict each other: two writers disagreed, or a topic was edited. */
public final class StreamCorruptException extends StreamException {
  private static final long serialVersionUID = 1L;

  StreamCorruptException(String message) {
    super(message);
  }
}
