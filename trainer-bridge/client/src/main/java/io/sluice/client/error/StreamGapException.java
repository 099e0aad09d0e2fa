package io.sluice.client.error;

import java.time.Duration;

/** A sequence stays away although later ones of its partition have been read. */
public final class StreamGapException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final long index;
  private final int partition;
  private final Duration since;

  public StreamGapException(int partition, long index, long seen, Duration since) {
    super(
        "sequence "
            + index
            + " is missing from stream partition "
            + partition
            + ": later ones, up to "
            + seen
            + ", have been read for "
            + since.toSeconds()
            + " s");
    this.index = index;
    this.partition = partition;
    this.since = since;
  }

  /** Global index of the missing sequence. */
  public long index() {
    return index;
  }

  /** Stream partition that should hold it. */
  public int partition() {
    return partition;
  }

  /** How long the stream has been read since a later sequence of the partition came first. */
  public Duration since() {
    return since;
  }
}
