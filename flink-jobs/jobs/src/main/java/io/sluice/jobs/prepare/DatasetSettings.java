package io.sluice.jobs.prepare;

import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A dataset as its user describes it; {@link DatasetSpecs} fills in the rest.
 *
 * @param tokenizer a name that {@code Tokenizers.forName} knows
 * @param sequenceLength labels in a block, in [1, 131072]
 * @param shuffleBuffer documents in the shuffle buffer, in [1, 10000000]; 1 keeps the order
 * @param seed of the shuffle
 * @param heldOut share of documents held out for evaluation, in [0, 1)
 * @param domains at least one, all different
 * @param lanes partitions of each block topic, in [1, 64]: consecutive blocks go to one after the
 *     other, and a run reads each of them with a consumer of its own
 * @param shuffleWait after which a shuffle buffer that is not turned over lets its documents go, in
 *     [1 s, 365 d]; zero for never
 */
public record DatasetSettings(
    String name,
    String tokenizer,
    int sequenceLength,
    int shuffleBuffer,
    long seed,
    double heldOut,
    List<String> domains,
    int lanes,
    Duration shuffleWait) {
  /** Most parts of a domain. */
  public static final int MOST_LANES = 64;

  /** Most labels in a block. */
  public static final int LONGEST_SEQUENCE = 1 << 17;

  /** Most documents in the shuffle buffer. */
  public static final int LARGEST_BUFFER = 10_000_000;

  /** Shortest time after which a shuffle buffer lets its documents go: each is a record. */
  public static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

  /** Longest time after which a shuffle buffer lets its documents go. */
  public static final Duration LONGEST_WAIT = Duration.ofDays(365);

  /**
   * Checks every range and copies the list.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public DatasetSettings {
    Topics.requireName("dataset", name);
    requireRange("sequence-length", sequenceLength, LONGEST_SEQUENCE);
    requireRange("shuffle-buffer", shuffleBuffer, LARGEST_BUFFER);
    if (!(heldOut >= 0 && heldOut < 1)) {
      throw new IllegalArgumentException("held-out must be in [0, 1): found " + heldOut);
    }
    domains = List.copyOf(domains);
    requireDomains(domains);
    requireRange("lanes", lanes, MOST_LANES);
    if (!shuffleWait.isZero()
        && (shuffleWait.compareTo(SHORTEST_WAIT) < 0 || shuffleWait.compareTo(LONGEST_WAIT) > 0)) {
      throw new IllegalArgumentException(
          "shuffle-wait must be in [1s, 365d], or zero for never: found " + shuffleWait);
    }
  }

  /** A dataset whose shuffle buffers let no document go by time. */
  public DatasetSettings(
      String name,
      String tokenizer,
      int sequenceLength,
      int shuffleBuffer,
      long seed,
      double heldOut,
      List<String> domains,
      int lanes) {
    this(
        name,
        tokenizer,
        sequenceLength,
        shuffleBuffer,
        seed,
        heldOut,
        domains,
        lanes,
        Duration.ZERO);
  }

  private static void requireRange(String key, int value, int last) {
    if (value < 1 || value > last) {
      throw new IllegalArgumentException(key + " must be in [1, " + last + "]: found " + value);
    }
  }

  private static void requireDomains(List<String> domains) {
    if (domains.isEmpty()) {
      throw new IllegalArgumentException("domains must name at least one domain: found none");
    }
    Set<String> seen = new HashSet<>();
    for (String domain : domains) {
      if (!seen.add(Topics.requireName("domain", domain))) {
        throw new IllegalArgumentException(
            "domains must all be different: '" + domain + "' is there twice");
      }
    }
  }
}
