package io.sluice.jobs.prepare.record;

/** A record of a corpus topic as it was read; {@code value} is empty for a tombstone. */
@SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
public record CorpusRecord(String topic, int partition, long offset, byte[] value) {}
