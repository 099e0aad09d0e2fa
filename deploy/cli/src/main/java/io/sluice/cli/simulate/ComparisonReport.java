package io.sluice.cli.simulate;

import io.sluice.cli.plot.MixtureCourse;
import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.simulate.Comparison;
import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A comparison as text and as JSON. */
record ComparisonReport(Comparison comparison, long seed) {
  private static final int MOST_COLUMNS = 12;

  /** What JSON says of one policy; losses and weights by domain. */
  record Outcome(
      String policy,
      double objective,
      double gapToOracle,
      double velocitySpread,
      @Nullable Long batchesToTarget,
      double churn,
      Map<String, Double> finalLosses,
      Map<String, Double> finalWeights,
      Map<String, Double> averageWeights) {}

  /** Everything that JSON says. */
  record Json(
      String scenario,
      long seed,
      long steps,
      long every,
      double billionTokens,
      Map<String, Double> objective,
      Map<String, Double> targets,
      List<Outcome> policies) {}

  List<Course> courses() {
    return comparison.entries().stream()
        .map(entry -> new Course(entry.label(), entry.trajectory().points()))
        .toList();
  }

  String title() {
    Scenario scenario = comparison.scenario();
    return String.format(
        Locale.ROOT,
        "%s: %d domains, %.1f billion tokens in %d batches, rounds of %d, seed %d",
        scenario.name(),
        scenario.domains().size(),
        scenario.totalTokens(),
        scenario.batches(),
        scenario.updateEvery(),
        seed);
  }

  /** The comparison as a table, with what its columns mean. */
  List<String> lines() {
    int[] shown = mostCounted();
    List<String> head =
        new ArrayList<>(List.of("policy", "loss", "to oracle", "spread", "to target", "churn"));
    if (knownMixture()) {
      head.add("from mixture");
    }
    for (int domain : shown) {
      head.add(comparison.scenario().domains().get(domain));
    }
    TextTable table = new TextTable(head);
    for (Comparison.Entry entry : comparison.entries()) {
      table.add(row(entry, shown));
    }
    List<String> lines = new ArrayList<>(List.of(title(), ""));
    lines.addAll(table.lines());
    lines.add("");
    lines.addAll(
        List.of(
            "loss: the scenario's mean of the final losses, in nats per token; to oracle: above the"
                + " best constant mixture's;",
            "spread: of the domains' velocities, as a mean over the rounds; to target: batches until"
                + " the loss that static ends with;",
            "churn: how much the weights moved in all (half their L1 distance, summed); then final"
                + " losses by domain."));
    if (knownMixture()) {
      lines.add("from mixture: L1 distance of the last weights to the mixture that the target is.");
    }
    int left = comparison.scenario().domains().size() - shown.length;
    if (left > 0) {
      lines.add("Of " + left + " more domains, --csv and --json have the losses.");
    }
    return lines;
  }

  Json json() {
    Scenario scenario = comparison.scenario();
    return new Json(
        scenario.name(),
        seed,
        scenario.batches(),
        scenario.updateEvery(),
        scenario.totalTokens(),
        byDomain(scenario.objective()),
        byDomain(comparison.targets()),
        comparison.entries().stream().map(this::outcome).toList());
  }

  private Outcome outcome(Comparison.Entry entry) {
    OptionalLong batches = entry.batchesToTarget();
    return new Outcome(
        entry.label(),
        entry.trajectory().objective(),
        entry.gapToOracle(),
        entry.velocitySpread(),
        batches.isPresent() ? batches.getAsLong() : null,
        entry.trajectory().churn(),
        byDomain(entry.trajectory().finalLosses()),
        byDomain(new Course(entry.label(), entry.trajectory().points()).lastShares()),
        byDomain(entry.trajectory().averageShares()));
  }

  private Map<String, Double> byDomain(double[] values) {
    return Course.byDomain(comparison.scenario().domains(), values);
  }

  private List<String> row(Comparison.Entry entry, int[] shown) {
    OptionalLong batches = entry.batchesToTarget();
    List<String> row =
        new ArrayList<>(
            List.of(
                entry.label(),
                TextTable.fixed(4, entry.trajectory().objective()),
                String.format(Locale.ROOT, "%+.4f", entry.gapToOracle()),
                TextTable.fixed(3, entry.velocitySpread()),
                batches.isPresent() ? Long.toString(batches.getAsLong()) : "never",
                TextTable.fixed(2, entry.trajectory().churn())));
    if (knownMixture()) {
      double[] last = new Course(entry.label(), entry.trajectory().points()).lastShares();
      row.add(TextTable.fixed(3, comparison.scenario().distanceToTarget(last)));
    }
    double[] losses = entry.trajectory().finalLosses();
    Arrays.stream(shown).forEach(i -> row.add(TextTable.fixed(4, losses[i])));
    return row;
  }

  /** Domains that count in the objective, at most as many as a line can show. */
  private int[] mostCounted() {
    return MixtureCourse.greatest(comparison.scenario().objective(), 0, MOST_COLUMNS);
  }

  private boolean knownMixture() {
    return comparison.scenario().bestIsObjective();
  }
}
