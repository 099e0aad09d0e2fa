package io.sluice.cli.simulate;

import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.simulate.Comparison;
import io.sluice.mixture.simulate.Estimate;
import io.sluice.mixture.simulate.SeedComparison;
import io.sluice.mixture.simulate.SeedComparison.Row;
import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code sluice simulate --seeds} prints. */
record SeedReport(SeedComparison comparison) {
  /** The report as JSON. */
  record Json(String scenario, int seeds, List<Row> policies) {}

  List<String> lines() {
    Scenario scenario = comparison.scenario();
    String first = comparison.rows().get(1).label();
    TextTable table =
        new TextTable(List.of("policy", "loss", "above static", "above " + first, "churn"));
    for (Row row : comparison.rows()) {
      table.add(
          List.of(
              row.label(),
              text("%.4f ± %.4f", row.loss()),
              beyond(row, Comparison.STATIC, row.beyondStatic()),
              beyond(row, first, row.beyondFirst()),
              text("%.2f ± %.2f", row.churn())));
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %d domains, %d batches, rounds of %d, seeds 1 to %d",
            scenario.name(),
            scenario.domains().size(),
            scenario.batches(),
            scenario.updateEvery(),
            comparison.seeds()));
    lines.add("");
    lines.addAll(table.lines());
    lines.add("");
    lines.add(
        "Means over the seeds with their standard errors; above: the mean of the differences");
    lines.add("with the same seed, with its 95 % interval (Student's t).");
    return lines;
  }

  Json json() {
    return new Json(comparison.scenario().name(), comparison.seeds(), comparison.rows());
  }

  private static String beyond(Row row, String whose, Estimate beyond) {
    return row.label().equals(whose)
        ? "–"
        : String.format(
            Locale.ROOT, "%+.4f (%+.4f to %+.4f)", beyond.mean(), beyond.low(), beyond.high());
  }

  private static String text(String format, Estimate estimate) {
    return String.format(Locale.ROOT, format, estimate.mean(), estimate.error());
  }
}
