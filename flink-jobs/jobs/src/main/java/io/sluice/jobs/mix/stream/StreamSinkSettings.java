package io.sluice.jobs.mix.stream;

import java.io.Serializable;
import java.time.Duration;

/**
 * How a stream is written.
 *
 * @param deliveryTimeout how long the broker may stay away before a record is given up, and emitted
 *     again
 * @param flushPatience how long a checkpoint waits for runs of which nothing else is delivered
 * @param requestTimeout how long a request may take before it is sent again
 * @param topicCheck how often it is looked whether the runs' topics are still there
 * @param linger how long a batch waits for more records
 * @param batchBytes bytes of a partition that are sent together
 * @param bufferBytes bytes that may wait for the broker before the source is held back
 * @param maxRequestBytes largest request, and so the largest record
 */
public record StreamSinkSettings(
    Duration deliveryTimeout,
    Duration flushPatience,
    Duration requestTimeout,
    Duration topicCheck,
    Duration linger,
    int batchBytes,
    long bufferBytes,
    int maxRequestBytes)
    implements Serializable {
  /** Checks the ranges. */
  public StreamSinkSettings {
    require(deliveryTimeout.toMillis() >= 1_000, "delivery timeout", "1 s", deliveryTimeout);
    require(flushPatience.toMillis() >= 1, "flush patience", "1 ms", flushPatience);
    require(requestTimeout.toMillis() >= 100, "request timeout", "100 ms", requestTimeout);
    require(topicCheck.toMillis() >= 10, "topic check", "10 ms", topicCheck);
    if (requestTimeout.plus(linger).compareTo(deliveryTimeout) > 0) {
      throw new IllegalArgumentException(
          "stream sink's delivery timeout must be at least request timeout and linger, "
              + requestTimeout.plus(linger)
              + ": "
              + deliveryTimeout);
    }
    require(!linger.isNegative(), "linger", "0 ms", linger);
    require(batchBytes >= 1, "batch", "1 byte", batchBytes);
    require(
        bufferBytes >= batchBytes, "buffer", "a batch of " + batchBytes + " bytes", bufferBytes);
    require(maxRequestBytes >= 1, "request", "1 byte", maxRequestBytes);
  }

  /** 60 s, 2 s, 20 s, 1 s, 5 ms, 256 KiB, 64 MiB, 32 MiB. */
  public static StreamSinkSettings defaults() {
    return new StreamSinkSettings(
        Duration.ofSeconds(60),
        Duration.ofSeconds(2),
        Duration.ofSeconds(20),
        Duration.ofSeconds(1),
        Duration.ofMillis(5),
        256 << 10,
        64L << 20,
        32 << 20);
  }

  /** These settings with another delivery timeout, and a third of it for each request. */
  public StreamSinkSettings withDeliveryTimeout(Duration timeout) {
    return new StreamSinkSettings(
        timeout,
        flushPatience,
        timeout.dividedBy(3),
        topicCheck,
        linger,
        batchBytes,
        bufferBytes,
        maxRequestBytes);
  }

  private static void require(boolean holds, String what, String least, Object actual) {
    if (!holds) {
      throw new IllegalArgumentException(
          "stream sink's " + what + " must be at least " + least + ": " + actual);
    }
  }
}
