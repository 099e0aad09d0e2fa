package io.sluice.client;

import java.time.Duration;

/**
 * How a stream is read.
 *
 * @param gapTimeout how long the stream is read on past a missing sequence before the gap is
 *     reported; longer than a writer's restart (delivery time-out and recovery)
 * @param statusInterval how often the control log is asked, while a batch is awaited, whether the
 *     run has ended
 * @param bufferBytes encoded blocks kept of later batches; at least one batch is kept anyway
 */
public record StreamOptions(Duration gapTimeout, Duration statusInterval, long bufferBytes) {
  /** Checks the ranges. */
  public StreamOptions {
    requirePositive("gapTimeout", gapTimeout);
    requirePositive("statusInterval", statusInterval);
    if (bufferBytes < 0) {
      throw new IllegalArgumentException("bufferBytes must not be negative: " + bufferBytes);
    }
  }

  /** Gaps after 5 minutes, the control log every 5 seconds, 64 MiB ahead. */
  public static StreamOptions defaults() {
    return new StreamOptions(Duration.ofMinutes(5), Duration.ofSeconds(5), 64L << 20);
  }

  /** The same with another gap timeout. */
  public StreamOptions withGapTimeout(Duration timeout) {
    return new StreamOptions(timeout, statusInterval, bufferBytes);
  }

  /** The same with another status interval. */
  public StreamOptions withStatusInterval(Duration interval) {
    return new StreamOptions(gapTimeout, interval, bufferBytes);
  }

  /** The same with another buffer. */
  public StreamOptions withBufferBytes(long bytes) {
    return new StreamOptions(gapTimeout, statusInterval, bytes);
  }

  private static void requirePositive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(key + " must be positive: " + value);
    }
  }
}
