package io.sluice.lab.bench.fan;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import org.jspecify.annotations.Nullable;

/**
 * What the readers of one run ask of brokers and stores while they train.
 *
 * @param timesRead how often the brokers give the whole stream out
 * @param brokersInMBps what is written, once
 * @param brokersOutMBps what readers and MixJob are given, and brokers of each other
 * @param connections of all readers to all brokers, once those to begin with are closed
 * @param firstConnections the same when all have just begun
 * @param requestsPerSecond of all readers to all brokers
 * @param startMB what all readers are given before their first batch
 * @param store what they read of a store; null where they read a stream
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record FanOut(
    String delivery,
    int gpus,
    double timesRead,
    double brokersInMBps,
    double brokersOutMBps,
    long connections,
    long firstConnections,
    double requestsPerSecond,
    double startMB,
    @Nullable StoreReads store) {

  /**
   * What is read of a store.
   *
   * @param directMBps where each rank reads its own rows
   * @param directRequestsPerSecond neighbours in a file are one
   * @param cachedMBps where a cache on each node fetches whole objects
   * @param nodeMBps what then comes into each node
   */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record StoreReads(
      double directMBps, double directRequestsPerSecond, double cachedMBps, double nodeMBps) {}
}
