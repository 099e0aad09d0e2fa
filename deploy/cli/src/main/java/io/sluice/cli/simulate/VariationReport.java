package io.sluice.cli.simulate;

import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.simulate.Variations;
import io.sluice.mixture.simulate.Variations.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code sluice simulate --vary} prints. */
record VariationReport(Variations variations, long seed) {
  private static final int MOST_NAMED = 6;

  /**
   * The report as JSON.
   *
   * @param invented what of the scenario is changed
   */
  record Json(
      String scenario,
      long seed,
      List<String> invented,
      int changes,
      int draws,
      List<Pair> pairs) {}

  List<String> lines() {
    TextTable table =
        new TextTable(
            List.of(
                "policy",
                "against",
                "difference",
                "lower, " + variations.changes() + " changes",
                "lower, " + variations.draws() + " draws",
                "flipped by"));
    for (Pair pair : variations.pairs()) {
      table.add(
          List.of(
              pair.one(),
              pair.other(),
              String.format(Locale.ROOT, "%+.4f", pair.difference()),
              Integer.toString(pair.lowerInChanges()),
              Integer.toString(pair.lowerInDraws()),
              named(pair.flips())));
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %d invented constants, seed %d",
            variations.scenario().name(),
            variations.invented().size(),
            seed));
    lines.add("");
    lines.addAll(table.lines());
    lines.add("");
    lines.add("Invented: " + String.join(", ", variations.invented()) + ".");
    lines.addAll(
        List.of(
            "difference: of the losses in the scenario as it is, in nats; lower: with how many single"
                + " changes of a constant, by",
            "1/2 and by 2, and in how many scenarios whose every constant is drawn from 1/2 to 2"
                + " times itself, the policy ends",
            "below the other; flipped by: single changes that turn the ranking round."));
    return lines;
  }

  Json json() {
    return new Json(
        variations.scenario().name(),
        seed,
        variations.invented(),
        variations.changes(),
        variations.draws(),
        variations.pairs());
  }

  private static String named(List<String> flips) {
    if (flips.isEmpty()) {
      return "none";
    }
    int left = flips.size() - MOST_NAMED;
    String named = String.join(", ", flips.subList(0, Math.min(MOST_NAMED, flips.size())));
    return left > 0 ? named + ", and " + left + " more" : named;
  }
}
