package io.sluice.jobs.mix.reweight;

import io.sluice.mixture.control.DomainSupply;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the blocks of every dataset's domains. Bounds only grow, and the end of a domain
 * fixes its bound for ever, whatever is read again or late.
 */
final class SupplyBook {
  private final Map<Dataset, Map<String, DomainSupply>> datasets = new HashMap<>();

  private record Dataset(String name, long fingerprint) {}

  /**
   * Takes a bound.
   *
   * @return what is known from now on, if it says anything new
   * @throws IllegalArgumentException if it cannot be a bound
   */
  Optional<Supply> offer(Supply supply) {
    if (supply.getLane() != 0) {
      throw new IllegalArgumentException(
          "supply lane must be in [0, 0]: " + supply.getLane() + " of " + supply.getDomain());
    }
    DomainSupply before = of(supply.getDataset(), supply.getFingerprint(), supply.getDomain());
    DomainSupply read = new DomainSupply(supply.getBlocks(), supply.getEnded());
    if (before.ended() || (read.blocks() <= before.blocks() && !read.ended())) {
      return Optional.empty();
    }
    DomainSupply merged = new DomainSupply(Math.max(before.blocks(), read.blocks()), read.ended());
    datasets
        .computeIfAbsent(
            new Dataset(supply.getDataset(), supply.getFingerprint()), dataset -> new HashMap<>())
        .put(supply.getDomain(), merged);
    return Optional.of(Supply.newBuilder(supply).setBlocks(merged.blocks()).build());
  }

  private DomainSupply of(String dataset, long fingerprint, String domain) {
    return datasets
        .getOrDefault(new Dataset(dataset, fingerprint), Map.of())
        .getOrDefault(domain, DomainSupply.NONE);
  }

  /** Supply of each of the run's domains, in its order. */
  List<DomainSupply> of(RunSpec spec) {
    Map<String, DomainSupply> known =
        datasets.getOrDefault(new Dataset(spec.getDataset(), spec.getFingerprint()), Map.of());
    List<DomainSupply> supply = new ArrayList<>(spec.getDomains().size());
    for (String domain : spec.getDomains()) {
      supply.add(known.getOrDefault(domain, DomainSupply.NONE));
    }
    return supply;
  }

  /** Where a bound is kept: one key for each domain of each dataset. */
  static String key(Supply supply) {
    return supply.getDataset()
        + "/"
        + Long.toHexString(supply.getFingerprint())
        + "/"
        + supply.getDomain();
  }
}
