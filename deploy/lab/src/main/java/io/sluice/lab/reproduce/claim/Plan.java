package io.sluice.lab.reproduce.claim;

import io.sluice.lab.reproduce.claim.statistics.Sample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What so many seeds can decide, from the spread of the differences of a few that were run already,
 * such as three. Three differences know their spread to a factor of three or so, so it is a hint.
 *
 * @param seeds that are to be run, three or more
 * @param rows one for each claim whose experiment the first runs were of, in order
 */
public record Plan(int seeds, List<Row> rows) {
  /** Copies the list. */
  public Plan {
    rows = List.copyOf(rows);
  }

  /**
   * One claim.
   *
   * @param pairs of which the spread is known
   * @param deviation of their differences, in the measure's unit; NaN of fewer than two
   * @param smallest difference that the seeds decide with power 0.8; NaN where that is unknown
   */
  public record Row(Claim claim, int pairs, double deviation, double smallest) {
    /** Whether the least effect that matters is decided. */
    public boolean suffices() {
      return smallest <= claim.leastEffect();
    }
  }

  /**
   * The plan of all claims whose experiments have been begun.
   *
   * @param pilot what came of the first seeds
   */
  public static Plan of(Claims claims, Results pilot, int seeds) {
    List<Claim> begun = claims.begun(pilot);
    return new Plan(seeds, begun.stream().map(claim -> row(claim, begun, pilot, seeds)).toList());
  }

  /** The plan for people, a line for each claim. */
  public List<String> lines() {
    return rows.stream().map(row -> line(row)).toList();
  }

  private String line(Row row) {
    Claim claim = row.claim();
    if (Double.isNaN(row.smallest())) {
      return claim.id() + ": " + row.pairs() + " pairs, too few to know a spread";
    }
    return String.format(
        Locale.ROOT,
        "%s: %d seeds decide %.2g in %s, asked for is %.2g: %s",
        claim.id(),
        seeds,
        row.smallest(),
        claim.measure(),
        claim.leastEffect(),
        row.suffices() ? "enough" : "too few");
  }

  private static Row row(Claim claim, List<Claim> begun, Results pilot, int seeds) {
    Optional<Sample> sample = Differences.of(claim, pilot).sample();
    int pairs = sample.map(Sample::size).orElse(0);
    if (pairs < 2) {
      return new Row(claim, pairs, Double.NaN, Double.NaN);
    }
    int family = (int) begun.stream().filter(other -> other.paper() == claim.paper()).count();
    double deviation = sample.orElseThrow().deviation();
    return new Row(claim, pairs, deviation, Judge.power(family).effect(seeds, deviation));
  }
}
