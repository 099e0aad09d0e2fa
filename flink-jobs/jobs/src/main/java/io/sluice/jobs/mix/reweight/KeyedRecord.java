package io.sluice.jobs.mix.reweight;

/** A record to be written, in wire form. Flink reads and writes the fields. */
public final class KeyedRecord {
  /** The Kafka key; '' for none. */
  public String key = "";

  /** The record. */
  public byte[] value = {};

  /** Called by Flink. */
  public KeyedRecord() {}

  KeyedRecord(String key, byte[] value) {
    this.key = key;
    this.value = value;
  }
}
