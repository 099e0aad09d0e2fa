package io.sluice.jobs.mix.source;

import java.io.Serializable;
import java.time.Duration;

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
 */
public record MixtureSourceSettings(
    Duration discoveryInterval,
    long fetchBytes,
    int domainsOfAReader,
    long unsentBytes,
    Duration waitReport)
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
   * 64, 30 s.
   */
  public static MixtureSourceSettings defaults() {
    return new MixtureSourceSettings(
        Duration.ofMillis(200), 32L << 20, 1_024, 48L << 20, Duration.ofSeconds(30));
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
