package io.sluice.jobs.mix.reweight;

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

  /** Its offset in the topic. */
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

  MixEvent(Kind kind, String runId, String topic, long offset, byte[] bytes, String reason) {
    this.kind = kind;
    this.runId = runId;
    this.topic = topic;
    this.offset = offset;
    this.bytes = bytes;
    this.reason = reason;
  }

  /** Key of the Reweighter. */
  public String runId() {
    return runId;
  }
}
