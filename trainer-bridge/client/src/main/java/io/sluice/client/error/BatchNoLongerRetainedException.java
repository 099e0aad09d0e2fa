package io.sluice.client.error;

/** The batch that was asked for has been removed from the stream's topic. */
public final class BatchNoLongerRetainedException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final long batch;
  private final long oldest;

  public BatchNoLongerRetainedException(String topic, long batch, long oldest) {
    super(
        "batch "
            + batch
            + " is no longer retained in "
            + topic
            + ": "
            + (oldest == 0 ? "no batch is left" : "the oldest batch left is " + oldest)
            + "; resume from a later checkpoint, or keep the stream for longer");
    this.batch = batch;
    this.oldest = oldest;
  }

  /** The batch that was asked for. */
  public long batch() {
    return batch;
  }

  /** First batch that is still complete; 0 if none is. */
  public long oldest() {
    return oldest;
  }
}
