package io.sluice.jobs.prepare.dataset;

import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A dataset as its user describes it; {@link DatasetSpecs} fills in the rest.
 *
 * @param domains at least one, all different
 * @param lanes partitions of each block topic, in [1, 64]: consecutive blocks go to one after the
 *     other, and a run reads each of them with a consumer of its own
 */
public record DatasetSettings(
    String name,
    List<String> domains,
    int lanes,
    TokenSettings tokens,
    PackingSettings packing,
    ShuffleSettings shuffle,
    HeldOutSettings heldOut,
    FimSettings fim) {
  /** Most parts of a domain. */
  public static final int MOST_LANES = 64;

  /**
   * Checks every range and copies the list.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public DatasetSettings {
    Topics.requireName("dataset", name);
    domains = List.copyOf(domains);
    requireDomains(domains);
    Ranges.require("lanes", lanes, MOST_LANES);
  }

  /** A dataset whose documents have no gaps. */
  public DatasetSettings(
      String name,
      List<String> domains,
      int lanes,
      TokenSettings tokens,
      PackingSettings packing,
      ShuffleSettings shuffle,
      HeldOutSettings heldOut) {
    this(name, domains, lanes, tokens, packing, shuffle, heldOut, FimSettings.NONE);
  }

  /** A dataset with what every one needs, whose shuffle buffers let no document go by time. */
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
        domains,
        lanes,
        new TokenSettings(tokenizer),
        new PackingSettings(sequenceLength),
        new ShuffleSettings(shuffleBuffer, Duration.ZERO, seed),
        new HeldOutSettings(heldOut));
  }

  /** The same dataset with another shuffle. */
  public DatasetSettings with(ShuffleSettings other) {
    return new DatasetSettings(name, domains, lanes, tokens, packing, other, heldOut, fim);
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
