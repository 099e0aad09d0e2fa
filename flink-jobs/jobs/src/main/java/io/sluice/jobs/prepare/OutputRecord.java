package io.sluice.jobs.prepare;

/**
 * A record for Kafka.
 *
 * @param timestamp the ordinal on block topics
 * @param key empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
record OutputRecord(String topic, int partition, long timestamp, byte[] key, byte[] value) {
  static final byte[] NO_KEY = {};
}
