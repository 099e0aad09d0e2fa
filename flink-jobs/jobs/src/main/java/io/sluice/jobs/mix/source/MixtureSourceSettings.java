package io.sluice.jobs.mix.source;

import io.sluice.jobs.heap.HeapShare;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the source reads.
 *
 * @param discoveryInterval how often new runs are looked for
 * @param fetchBytes bytes of blocks that a split keeps ready
 * @param domainsOfAReader partitions that a split reads with one consumer: at each piece of a
 *     response, a consumer goes through all that it has
 * @param unsentBytes bytes of all runs of a reader that may be on their way to the broker; they
 *     share it, so that a run whose topic is slow holds back no other
 * @param waitReport after how long a waiting run is reported in the log
 * @param heapShare of each process's heap that the blocks of all its runs may take; empty for what
 *     the cluster says
 */
public record MixtureSourceSettings(
    Duration discoveryInterval,
    long fetchBytes,
    int domainsOfAReader,
    long unsentBytes,
    Duration waitReport,
    @Nullable HeapShare heapShare)
    implements Serializable {
  /** Share of a process's heap that the blocks of all runs may take, where nobody says another. */
  public static final double HEAP_SHARE = 0.4;

  private static final long LEAST_BYTES = 1 << 16;

  /** Checks the ranges. */
  public MixtureSourceSettings {
    requirePositive("discovery interval", discoveryInterval);
    requirePositive("wait report", waitReport);
    requireLeast("fetch budget", fetchBytes);
    if (domainsOfAReader < 1) {
      throw new IllegalArgumentException(
          "source's domains of a reader must be at least 1: " + domainsOfAReader);
    }
    requireLeast("budget of unsent bytes", unsentBytes);
  }

  /**
   * 200 ms, 32 MiB for each split, 1,024 domains for each of its consumers, 48 MiB of the sink's
   * 64, 30 s, the cluster's share of the heap.
   */
  public static MixtureSourceSettings defaults() {
    return new MixtureSourceSettings(
        Duration.ofMillis(200), 32L << 20, 1_024, 48L << 20, Duration.ofSeconds(30), null);
  }

  /** These settings with another share of the heap. */
  public MixtureSourceSettings withHeapShare(HeapShare share) {
    return new MixtureSourceSettings(
        discoveryInterval, fetchBytes, domainsOfAReader, unsentBytes, waitReport, share);
  }

  /** These settings with fewer bytes on their way to the broker. */
  MixtureSourceSettings withUnsentBytes(long bytes) {
    return new MixtureSourceSettings(
        discoveryInterval, fetchBytes, domainsOfAReader, bytes, waitReport, heapShare);
  }

  private static void requireLeast(String what, long bytes) {
    if (bytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "source's " + what + " must be at least " + LEAST_BYTES + " bytes: " + bytes);
    }
  }

  private static void requirePositive(String what, Duration duration) {
    if (duration.toMillis() < 1) {
      throw new IllegalArgumentException(
          "source's " + what + " must be at least 1 ms: " + duration);
    }
  }
}
