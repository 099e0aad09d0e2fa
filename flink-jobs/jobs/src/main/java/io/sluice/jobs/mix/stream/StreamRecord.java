package io.sluice.jobs.mix.stream;

import java.nio.ByteBuffer;

/**
 * A sequence of a run's stream, ready to be written. Whoever emits it uses the same object for the
 * next one: it is only valid until the call that handed it on returns, and {@link #copy} is for
 * those who keep it.
 */
public final class StreamRecord implements StreamEvent {
  private final StreamTarget target;
  private final StreamGate gate;
  private final byte[] header;
  private ByteBuffer value;
  private int partition;
  private long timestamp;

  /**
   * A record that {@link #fill} has to fill.
   *
   * @param header encoded {@link io.sluice.schema.StreamHeader}; the caller overwrites it for each
   *     sequence
   * @param gate counts the bytes of the run that are on their way
   */
  public StreamRecord(StreamTarget target, byte[] header, StreamGate gate) {
    this.target = target;
    this.header = header;
    this.gate = gate;
    this.value = ByteBuffer.allocate(0);
  }

  /**
   * Makes it the record of another sequence, whose header is in place.
   *
   * @param partition of the stream topic
   * @param timestamp the batch
   * @param value the block's bytes as they were read; they do not change, and are in an array
   * @return this
   */
  public StreamRecord fill(int partition, long timestamp, ByteBuffer value) {
    this.partition = partition;
    this.timestamp = timestamp;
    this.value = value;
    return this;
  }

  /** A record of its own of the same sequence; only the block's bytes are shared. */
  public StreamRecord copy() {
    return new StreamRecord(target, header.clone(), gate).fill(partition, timestamp, value);
  }

  @Override
  public StreamTarget target() {
    return target;
  }

  /** Partition of the stream topic. */
  public int partition() {
    return partition;
  }

  /** The batch. */
  public long timestamp() {
    return timestamp;
  }

  /** Encoded {@link io.sluice.schema.StreamHeader}. */
  public byte[] header() {
    return header;
  }

  /** The block's bytes as they were read. */
  public ByteBuffer value() {
    return value;
  }

  StreamGate gate() {
    return gate;
  }

  /** Bytes that it takes in the sink's buffer, about. */
  int bytes() {
    return header.length + value.remaining();
  }
}
