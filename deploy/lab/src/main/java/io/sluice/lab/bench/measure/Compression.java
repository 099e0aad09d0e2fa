package io.sluice.lab.bench.measure;

/** How blocks and streams are compressed; the names are Kafka's. */
public enum Compression {
  NONE,
  LZ4;

  /** Kafka's name of it. */
  public String kafkaName() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
