package io.sluice.lab.reproduce.claim;

import io.sluice.lab.reproduce.claim.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The differences of a claim, by seed.
 *
 * @param bySeed in the measure's unit, of the seeds of which all is known
 * @param missing a line for each other seed, which says what is missing
 */
public record Differences(SortedMap<Long, Double> bySeed, List<String> missing) {
  /** Copies the list. */
  public Differences {
    missing = List.copyOf(missing);
  }

  /** What results have of a claim. */
  static Differences of(Claim claim, Results results) {
    List<String> arms = new ArrayList<>(List.of(claim.of()));
    claim.comparison().other().ifPresent(arms::add);
    SortedSet<Long> seeds = new TreeSet<>();
    arms.forEach(arm -> seeds.addAll(results.seeds(claim.experiment(), arm).keySet()));
    SortedMap<Long, Double> bySeed = new TreeMap<>();
    List<String> missing = new ArrayList<>();
    for (long seed : seeds) {
      List<Double> values = new ArrayList<>();
      for (String arm : arms) {
        Optional<Double> value = value(claim, results, arm, seed);
        value.ifPresent(values::add);
        if (value.isEmpty()) {
          missing.add("seed " + seed + ": " + why(claim, results, arm, seed));
        }
      }
      if (values.size() == arms.size()) {
        OptionalDouble other =
            arms.size() > 1 ? OptionalDouble.of(values.get(1)) : OptionalDouble.empty();
        bySeed.put(seed, claim.difference(values.get(0), other));
      }
    }
    if (seeds.isEmpty()) {
      missing.add("no seed of " + String.join(" or ", arms) + " was run");
    }
    return new Differences(bySeed, missing);
  }

  /** The differences as a sample; empty if there are none. */
  public Optional<Sample> sample() {
    return bySeed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Sample.of(bySeed.values().stream().mapToDouble(Double::doubleValue).toArray()));
  }

  private static Optional<Double> value(Claim claim, Results results, String arm, long seed) {
    return Optional.ofNullable(results.seeds(claim.experiment(), arm).get(seed))
        .flatMap(outcome -> Results.find(outcome, claim.measure()));
  }

  private static String why(Claim claim, Results results, String arm, long seed) {
    Outcome outcome = results.seeds(claim.experiment(), arm).get(seed);
    if (outcome == null) {
      return arm + " was not run";
    }
    return outcome instanceof Outcome.Failed failed
        ? arm + " failed: " + failed.reason()
        : arm + " has no " + claim.measure();
  }
}
