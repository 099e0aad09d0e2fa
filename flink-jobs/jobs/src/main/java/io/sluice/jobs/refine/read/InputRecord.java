package io.sluice.jobs.refine.read;

import java.util.List;

/**
 * A record of a refinery's inputs.
 *
 * @param number of it among those of all inputs, from 0
 * @param input index of the input that it is of
 * @param timestamp of Kafka, in milliseconds
 * @param value empty for a tombstone
 * @param rounds that began before
 * @param round if it is the first of a round, where that ends in each input; else empty
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
public record InputRecord(
    long number,
    int input,
    long offset,
    long timestamp,
    byte[] value,
    long rounds,
    List<Long> round) {
  /** Copies the list. */
  public InputRecord {
    round = List.copyOf(round);
  }
}
