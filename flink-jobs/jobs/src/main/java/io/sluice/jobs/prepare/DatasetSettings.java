package io.sluice.jobs.prepare;

import io.sluice.schema.Topics;
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
 */
public record DatasetSettings(
    String name,
    String tokenizer,
    int sequenceLength,
    int shuffleBuffer,
    long seed,
    double heldOut,
    List<String> domains,
    int lanes) {
  /** Most parts of a domain. */
  public static final int MOST_LANES = 64;

  /** Most labels in a block. */
  public static final int LONGEST_SEQUENCE = 1 << 17;

  /** Most documents in the shuffle buffer. */
  public static final int LARGEST_BUFFER = 10_000_000;

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
