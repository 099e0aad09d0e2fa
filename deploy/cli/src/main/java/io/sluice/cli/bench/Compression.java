package io.sluice.cli.bench;

/** How blocks and streams are compressed; the names are Kafka's. */
enum Compression {
  NONE,
  LZ4;

  /** Kafka's name of it. */
  String kafkaName() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
