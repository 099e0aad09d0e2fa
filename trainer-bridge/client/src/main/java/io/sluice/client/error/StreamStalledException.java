package io.sluice.client.error;

import java.time.Duration;

/** The next batch did not become complete in the given time; asking again is fine. */
public final class StreamStalledException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final long batch;
  private final long index;
  private final int partition;
  private final String status;

  public StreamStalledException(
      long batch, int partition, long index, Duration timeout, String status) {
    super(
        "batch "
            + batch
            + " did not come within "
            + Seconds.of(timeout)
            + (partition < 0
                ? ": "
                : ": sequence " + index + " of stream partition " + partition + " is awaited; ")
            + status);
    this.batch = batch;
    this.index = index;
    this.partition = partition;
    this.status = status;
  }

  /** The same for a wait of another length. */
  public StreamStalledException after(Duration timeout) {
    return new StreamStalledException(batch, partition, index, timeout, status);
  }

  /** What the batch waits for. */
  public String status() {
    return status;
  }

  /** Awaited batch. */
  public long batch() {
    return batch;
  }

  /** Global index of the first sequence that is missing. */
  public long index() {
    return index;
  }

  /** Stream partition of that sequence; -1 in a run without a stream. */
  public int partition() {
    return partition;
  }
}
