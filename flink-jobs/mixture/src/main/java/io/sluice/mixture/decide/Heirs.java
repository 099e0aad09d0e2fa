package io.sluice.mixture.decide;

import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hands the weights of domains that are taken out to those in whose place others come, to the last
 * unit: what the heirs of a domain get sums to what it had, and no other domain's weight moves.
 */
final class Heirs {
  private final List<String> domains;
  private final Map<Integer, List<Heir>> byParent = new TreeMap<>();

  private record Heir(int domain, double share) {}

  private Heirs(List<String> domains) {
    this.domains = domains;
  }

  /**
   * Heirs as they were asked for.
   *
   * @param leaving domains that this revision takes out
   * @param masked domains that get no seat afterwards
   * @throws IllegalArgumentException unless heirs have a seat, each parent leaves, and its weight
   *     is given away in whole
   */
  static Heirs of(
      List<String> domains, BitSet leaving, BitSet masked, List<Inheritance> inheritances) {
    Heirs heirs = new Heirs(domains);
    for (Inheritance asked : inheritances) {
      int parent = domains.indexOf(asked.parent());
      int heir = domains.indexOf(asked.domain());
      if (parent < 0 || !leaving.get(parent)) {
        throw new IllegalArgumentException(
            "weight is inherited only from domains that are taken out at the same time: '"
                + asked.parent()
                + "'");
      }
      if (heir < 0 || masked.get(heir)) {
        throw new IllegalArgumentException(
            "weight is inherited only by domains of the run that have not ended and are not taken"
                + " out: '"
                + asked.domain()
                + "'");
      }
      heirs.add(parent, new Heir(heir, asked.share()));
    }
    heirs.byParent.forEach(heirs::requireWhole);
    return heirs;
  }

  private void add(int parent, Heir heir) {
    List<Heir> beside = byParent.computeIfAbsent(parent, unused -> new ArrayList<>());
    if (beside.stream().anyMatch(other -> other.domain() == heir.domain())) {
      throw new IllegalArgumentException(
          domains.get(heir.domain()) + " inherits from " + domains.get(parent) + " twice");
    }
    beside.add(heir);
  }

  private void requireWhole(int parent, List<Heir> heirs) {
    double sum = heirs.stream().mapToDouble(Heir::share).sum();
    if (Math.abs(sum - 1) > Revisions.ROUNDING) {
      throw new IllegalArgumentException(
          "shares in the weight of " + domains.get(parent) + " must sum to 1: " + sum);
    }
  }

  /** The weights once they are handed over; a parent keeps 0. */
  Weights handOver(Weights weights) {
    long[] parts = weights.parts();
    byParent.forEach((parent, heirs) -> handOver(parts, parent, heirs));
    return Weights.of(parts);
  }

  /** Heirs in their order, each up to the rounded end of its share. */
  private static void handOver(long[] parts, int parent, List<Heir> heirs) {
    long whole = parts[parent];
    parts[parent] = 0;
    double end = 0;
    long given = 0;
    for (int i = 0; i < heirs.size(); i++) {
      end += heirs.get(i).share();
      long upTo = i == heirs.size() - 1 ? whole : Math.min(whole, (long) Math.rint(whole * end));
      parts[heirs.get(i).domain()] += upTo - given;
      given = upTo;
    }
  }
}
