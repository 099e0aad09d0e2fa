package io.sluice.cli.simulate;

import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.simulate.Scenario;
import io.sluice.mixture.simulate.SeedComparison;
import io.sluice.mixture.simulate.SeedComparison.Estimate;
import io.sluice.mixture.simulate.SeedComparison.Row;
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
    TextTable table = new TextTable(List.of("policy", "loss", "above " + first, "churn"));
    for (Row row : comparison.rows()) {
      table.add(
          List.of(
              row.label(),
              text("%.4f ± %.4f", row.loss()),
              row.label().equals(first) ? "–" : text("%+.4f ± %.4f", row.beyondFirst()),
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
    lines.add("Means over the seeds and their standard errors; above: with the same seed.");
    return lines;
  }

  Json json() {
    return new Json(comparison.scenario().name(), comparison.seeds(), comparison.rows());
  }

  private static String text(String format, Estimate estimate) {
    return String.format(Locale.ROOT, format, estimate.mean(), estimate.error());
  }
}
