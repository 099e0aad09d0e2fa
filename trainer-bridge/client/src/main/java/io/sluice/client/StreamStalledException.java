package io.sluice.client;

import java.time.Duration;

/** The next batch did not become complete in the given time; asking again is fine. */
public final class StreamStalledException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final long batch;
  private final long index;
  private final int partition;
  private final String status;

  StreamStalledException(StreamAssembler.Awaited awaited, Duration timeout, String status) {
    super(
        "batch "
            + awaited.batch()
            + " did not come within "
            + timeout.toMillis()
            + " ms: sequence "
            + awaited.index()
            + " of stream partition "
            + awaited.partition()
            + " is awaited; "
            + status);
    this.batch = awaited.batch();
    this.index = awaited.index();
    this.partition = awaited.partition();
    this.status = status;
  }

  /** The same for a wait of another length. */
  StreamStalledException after(Duration timeout) {
    return new StreamStalledException(
        new StreamAssembler.Awaited(batch, partition, index), timeout, status);
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

  /** Stream partition of that sequence. */
  public int partition() {
    return partition;
  }
}
