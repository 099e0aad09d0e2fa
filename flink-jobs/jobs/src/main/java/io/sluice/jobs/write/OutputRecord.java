package io.sluice.jobs.write;

/**
 * A record for Kafka.
 *
 * @param timestamp the ordinal on block topics
 * @param key empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
public record OutputRecord(String topic, int partition, long timestamp, byte[] key, byte[] value) {
  public static final byte[] NO_KEY = {};
}
