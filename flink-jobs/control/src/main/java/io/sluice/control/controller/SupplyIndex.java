package io.sluice.control.controller;

import io.sluice.mixture.decide.DomainSupply;
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
public final class SupplyIndex {
  private static final int MOST_LANES = 64;

  private final Map<Dataset, Map<Part, DomainSupply>> datasets = new HashMap<>();

  private record Dataset(String name, long fingerprint) {}

  /** A lane's part of a domain. */
  private record Part(String domain, int lane) {}

  /**
   * Takes a bound.
   *
   * @return what is known from now on, if it says anything new
   * @throws IllegalArgumentException if it cannot be a bound
   */
  public Optional<Supply> offer(Supply supply) {
    int lane = supply.getLane();
    if (lane < 0 || lane >= MOST_LANES) {
      throw new IllegalArgumentException(
          "supply lane must be in [0, "
              + (MOST_LANES - 1)
              + "]: "
              + lane
              + " of "
              + supply.getDomain());
    }
    Part part = new Part(supply.getDomain(), lane);
    Dataset dataset = new Dataset(supply.getDataset(), supply.getFingerprint());
    DomainSupply before =
        datasets.getOrDefault(dataset, Map.of()).getOrDefault(part, DomainSupply.NONE);
    DomainSupply read = new DomainSupply(supply.getBlocks(), supply.getEnded());
    if (before.ended() || (read.blocks() <= before.blocks() && !read.ended())) {
      return Optional.empty();
    }
    DomainSupply merged = new DomainSupply(Math.max(before.blocks(), read.blocks()), read.ended());
    datasets.computeIfAbsent(dataset, name -> new HashMap<>()).put(part, merged);
    return Optional.of(Supply.newBuilder(supply).setBlocks(merged.blocks()).build());
  }

  /** Supply of each of the run's domains in each lane, lane-major. */
  List<DomainSupply> of(RunSpec spec) {
    Map<Part, DomainSupply> known =
        datasets.getOrDefault(new Dataset(spec.getDataset(), spec.getFingerprint()), Map.of());
    List<DomainSupply> supply = new ArrayList<>(spec.getLanes() * spec.getDomains().size());
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      for (String domain : spec.getDomains()) {
        supply.add(known.getOrDefault(new Part(domain, lane), DomainSupply.NONE));
      }
    }
    return supply;
  }

  /** Where a bound is kept: one key for each lane of each domain of each dataset. */
  public static String key(Supply supply) {
    return supply.getDataset()
        + "/"
        + Long.toHexString(supply.getFingerprint())
        + "/"
        + supply.getDomain()
        + "/"
        + supply.getLane();
  }
}
