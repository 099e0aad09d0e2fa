package io.sluice.client.error;

/** A reason why a run's stream cannot give its next batch; each kind is a class of its own. */
public abstract sealed class StreamException extends RuntimeException
    permits BatchNoLongerRetainedException,
        RankTakenException,
        RewoundException,
        RunEndedException,
        StreamCorruptException,
        StreamGapException,
        StreamMissingException,
        StreamStalledException {
  private static final long serialVersionUID = 1L;

  StreamException(String message) {
    super(message);
  }
}
