package io.sluice.client.error;

/** What a run's batches are read from is not there: its stream topic as it should be, or a file. */
public final class StreamMissingException extends StreamException {
  private static final long serialVersionUID = 1L;

  public StreamMissingException(String message) {
    super(message);
  }

  /** The run's stream topic does not exist, or has another number of partitions than the run. */
  public StreamMissingException(String topic, int expected, int found) {
    super(
        "stream topic "
            + topic
            + (found == 0
                ? " does not exist"
                : " has " + found + " partitions instead of the run's " + expected)
            + ": was the run deleted?");
  }
}
