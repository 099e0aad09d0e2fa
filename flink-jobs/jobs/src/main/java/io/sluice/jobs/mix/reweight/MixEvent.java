package io.sluice.jobs.mix.reweight;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record on its way to the Reweighter, in wire form. Flink reads and writes the fields: a class
 * of this shape needs neither Kryo nor a serializer of its own.
 */
public final class MixEvent {
  /** Which record it is. */
  public Kind kind = Kind.UNDECODABLE;

  /** The run it is for; '' for supply, and where nothing names one. */
  public String runId = "";

  /** The topic it was read from. */
  public String topic = "";

  /** The partition of the topic. */
  public int partition;

  /** Its offset in the partition. */
  public long offset;

  /** The record as it was read. */
  public byte[] bytes = {};

  /** Why it cannot be used; '' if it can. */
  public String reason = "";

  /** What a record is. */
  public enum Kind {
    CONTROL,
    COMMAND,
    FEEDBACK,
    PROGRESS,
    ATTACHED,
    SUPPLY,
    UNDECODABLE
  }

  /** Called by Flink. */
  public MixEvent() {}

  private MixEvent(
      Kind kind, String runId, ConsumerRecord<byte[], byte[]> from, byte[] bytes, String reason) {
    this.kind = kind;
    this.runId = runId;
    this.topic = from.topic();
    this.partition = from.partition();
    this.offset = from.offset();
    this.bytes = bytes;
    this.reason = reason;
  }

  /** A record that can be used. */
  public static MixEvent of(Kind kind, String runId, ConsumerRecord<byte[], byte[]> from) {
    return new MixEvent(kind, runId, from, from.value(), "");
  }

  /** A record that cannot. */
  static MixEvent undecodable(String runId, ConsumerRecord<byte[], byte[]> from, String reason) {
    byte[] bytes = from.value() == null ? new byte[0] : from.value();
    return new MixEvent(Kind.UNDECODABLE, runId, from, bytes, reason);
  }

  /** Key of the Reweighter. */
  public String runId() {
    return runId;
  }
}
