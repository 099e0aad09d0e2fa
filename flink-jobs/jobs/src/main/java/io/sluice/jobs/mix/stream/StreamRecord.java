package io.sluice.jobs.mix.stream;

/**
 * A sequence of a run's stream, ready to be written. Nobody changes the arrays once it exists, so
 * it passes between chained operators without a copy.
 *
 * @param partition of the stream topic
 * @param timestamp the batch
 * @param header encoded {@link io.sluice.schema.StreamHeader}
 * @param value the block's bytes as they were read
 * @param gate counts the bytes of the run that are on their way
 */
public record StreamRecord(
    StreamTarget target,
    int partition,
    long timestamp,
    byte[] header,
    byte[] value,
    StreamGate gate)
    implements StreamEvent {
  /** Bytes that it takes in the sink's buffer, about. */
  int bytes() {
    return header.length + value.length;
  }
}
