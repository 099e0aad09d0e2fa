package io.sluice.client.stream;

import io.sluice.client.run.TrainerRank;
import io.sluice.mixture.policy.Metrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How a stream is read, and by whom.
 *
 * @param gapTimeout how long the stream is read on past a missing sequence before the gap is
 *     reported; longer than a writer's restart (delivery time-out and recovery)
 * @param statusInterval how often the control log is asked, while a batch is awaited, whether the
 *     run has ended or was rewound
 * @param bufferBytes encoded blocks that are read ahead; at least one batch is ready anyway
 * @param rank whose rows are read
 * @param attaches whether the reader takes that rank for itself, so that another process that takes
 *     it too is noticed; false for one that only looks
 * @param metrics that the trainer measures, so that a policy that needs another can say so
 * @param cache the folder of this node's {@code sluice cache}, by which objects of stores are read;
 *     if not given, that which {@code SLUICE_NODE_CACHE} names
 */
public record StreamOptions(
    Duration gapTimeout,
    Duration statusInterval,
    long bufferBytes,
    TrainerRank rank,
    boolean attaches,
    Set<String> metrics,
    Optional<Path> cache) {
  /** Checks the ranges. */
  public StreamOptions {
    requirePositive("gapTimeout", gapTimeout);
    requirePositive("statusInterval", statusInterval);
    if (bufferBytes < 0) {
      throw new IllegalArgumentException("bufferBytes must not be negative: " + bufferBytes);
    }
    metrics = Set.copyOf(metrics);
  }

  /**
   * A trainer of one process that measures held-out losses: gaps after 5 minutes, the control log
   * every 5 seconds, 64 MiB ahead.
   */
  public static StreamOptions defaults() {
    return new StreamOptions(
        Duration.ofMinutes(5),
        Duration.ofSeconds(5),
        64L << 20,
        TrainerRank.single(),
        true,
        Set.of(Metrics.EVAL_LOSS),
        Optional.empty());
  }

  /** The same with another gap timeout. */
  public StreamOptions withGapTimeout(Duration timeout) {
    return new StreamOptions(timeout, statusInterval, bufferBytes, rank, attaches, metrics, cache);
  }

  /** The same with another status interval. */
  public StreamOptions withStatusInterval(Duration interval) {
    return new StreamOptions(gapTimeout, interval, bufferBytes, rank, attaches, metrics, cache);
  }

  /** The same with another buffer. */
  public StreamOptions withBufferBytes(long bytes) {
    return new StreamOptions(gapTimeout, statusInterval, bytes, rank, attaches, metrics, cache);
  }

  /** The same for another rank. */
  public StreamOptions withRank(TrainerRank other) {
    return new StreamOptions(
        gapTimeout, statusInterval, bufferBytes, other, attaches, metrics, cache);
  }

  /** The same for a trainer that measures these. */
  public StreamOptions withMetrics(Set<String> measured) {
    return new StreamOptions(
        gapTimeout, statusInterval, bufferBytes, rank, attaches, measured, cache);
  }

  /** The same with a cache on this node. */
  public StreamOptions withCache(Path folder) {
    return new StreamOptions(
        gapTimeout, statusInterval, bufferBytes, rank, attaches, metrics, Optional.of(folder));
  }

  /** The same for a reader that only looks, beside whatever trains on the run. */
  public StreamOptions observing() {
    return new StreamOptions(gapTimeout, statusInterval, bufferBytes, rank, false, metrics, cache);
  }

  private static void requirePositive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(key + " must be positive: " + value);
    }
  }
}
