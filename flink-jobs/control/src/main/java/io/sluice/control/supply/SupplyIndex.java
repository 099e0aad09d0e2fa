package io.sluice.control.supply;

import io.sluice.mixture.decide.DomainSupply;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.run.Delivery;
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
  private final Map<Dataset, Map<LanePart, DomainSupply>> datasets = new HashMap<>();
  private final SealedIndex sealed = new SealedIndex();

  /** Nothing is known. */
  public SupplyIndex() {}

  /** What is known of the segments. */
  public SealedIndex sealed() {
    return sealed;
  }

  /**
   * Takes a bound.
   *
   * @return what is known from now on, if it says anything new
   * @throws IllegalArgumentException if it cannot be a bound
   */
  public Optional<Supply> offer(Supply supply) {
    LanePart part = LanePart.of("supply", supply.getDomain(), supply.getLane());
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

  /**
   * Supply of each of the run's domains in each lane, lane-major. A run whose trainers read
   * segments can use what is sealed.
   */
  public List<DomainSupply> of(RunSpec spec) {
    Dataset dataset = new Dataset(spec.getDataset(), spec.getFingerprint());
    Map<LanePart, DomainSupply> known = datasets.getOrDefault(dataset, Map.of());
    boolean derived = Delivery.isDerived(spec);
    List<DomainSupply> supply = new ArrayList<>(spec.getLanes() * spec.getDomains().size());
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      for (String domain : spec.getDomains()) {
        LanePart part = new LanePart(domain, lane);
        DomainSupply there = known.getOrDefault(part, DomainSupply.NONE);
        supply.add(derived ? sealed.sealed(dataset, part, there) : there);
      }
    }
    return supply;
  }

  /** Where a bound is kept: one key for each lane of each domain of each dataset. */
  public static String key(Supply supply) {
    return new Dataset(supply.getDataset(), supply.getFingerprint())
        .key(new LanePart(supply.getDomain(), supply.getLane()));
  }
}
