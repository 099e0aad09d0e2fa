package io.sluice.cli.sweep;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.simulate.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arms of a sweep side by side.
 *
 * @param runs those that have ended
 * @param failures why others have not, by run
 */
record SweepReport(Sweep sweep, List<SweptRun> runs, Map<String, String> failures) {
  /** What JSON says of an arm. */
  record Arm(String arm, String label, List<Run> runs) {}

  /** What JSON says of a run. */
  record Run(
      String run, int seed, double loss, Map<String, Double> losses, Map<String, Double> weights) {}

  /** Everything that JSON says, and {@code sluice fit-mixture} reads. */
  record Json(
      String sweep,
      Map<String, Double> aims,
      double concentration,
      Map<String, Map<String, Double>> together,
      List<Arm> arms,
      Map<String, String> failures) {}

  List<String> lines() {
    List<SweepArm> arms = sweep.arms();
    String first = arms.get(0).name();
    Set<String> domains = domains();
    List<String> head =
        new ArrayList<>(List.of("arm", "what differs", "runs", "loss", "above " + first));
    domains.forEach(domain -> head.add(domain));
    TextTable table = new TextTable(head);
    for (SweepArm arm : arms) {
      List<SweptRun> own = of(arm);
      List<String> row = new ArrayList<>(List.of(arm.name(), arm.label(), "" + own.size()));
      row.add(own.isEmpty() ? "-" : text(loss(own)));
      row.add(arm.name().equals(first) ? "-" : difference(own, of(arms.get(0))));
      for (String domain : domains) {
        row.add(own.isEmpty() ? "-" : TextTable.fixed(4, loss(own, domain).mean()));
      }
      table.add(row);
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "Held-out losses at the last step, in nats per token: means over the seeds with their");
    lines.add(
        "standard errors; above: the mean difference with the same seed, and its 95 % interval.");
    if (arms.size() > 2) {
      lines.add("The least of many is less than it would be once more: run it with other seeds.");
    }
    failures.forEach((run, why) -> lines.add("failed: " + run + ": " + why));
    return lines;
  }

  private static String text(Estimate estimate) {
    return Double.isNaN(estimate.error())
        ? TextTable.fixed(4, estimate.mean())
        : String.format(Locale.ROOT, "%.4f ± %.4f", estimate.mean(), estimate.error());
  }

  private String difference(List<SweptRun> own, List<SweptRun> first) {
    double[] differences =
        own.stream()
            .flatMap(run -> with(run.seed(), first).map(other -> loss(run) - loss(other)).stream())
            .mapToDouble(d -> d)
            .toArray();
    if (differences.length == 0) {
      return "-";
    }
    Estimate estimate = Estimate.of(differences);
    // Differences that are all one number have no spread to go by.
    return Double.isNaN(estimate.error()) || estimate.error() == 0
        ? String.format(Locale.ROOT, "%+.4f", estimate.mean())
        : String.format(
            Locale.ROOT,
            "%+.4f (%+.4f to %+.4f)",
            estimate.mean(),
            estimate.low(),
            estimate.high());
  }

  private static Optional<SweptRun> with(int seed, List<SweptRun> among) {
    return among.stream().filter(run -> run.seed() == seed).findFirst();
  }

  private double loss(SweptRun run) {
    return run.loss(sweep.aims());
  }

  private Estimate loss(List<SweptRun> runs) {
    return Estimate.of(runs.stream().mapToDouble(this::loss).toArray());
  }

  private static Estimate loss(List<SweptRun> runs, String domain) {
    return Estimate.of(
        runs.stream().mapToDouble(run -> run.losses().getOrDefault(domain, Double.NaN)).toArray());
  }

  private List<SweptRun> of(SweepArm arm) {
    return runs.stream().filter(run -> run.arm().equals(arm.name())).toList();
  }

  private Set<String> domains() {
    Set<String> domains = new LinkedHashSet<>();
    runs.forEach(run -> domains.addAll(run.losses().keySet()));
    return domains;
  }

  /** A panel for all domains, and one for each: an estimate for each arm, in their order. */
  Figure figure() {
    List<Panel> panels = new ArrayList<>();
    panels.add(panel("all domains", Optional.empty()));
    domains().forEach(domain -> panels.add(panel(domain, Optional.of(domain))));
    return new Figure("sweep " + sweep.name(), List.of("mean, 95 %"), 2, panels);
  }

  private Panel panel(String title, Optional<String> domain) {
    List<Mark> marks = new ArrayList<>();
    for (int i = 0; i < sweep.arms().size(); i++) {
      List<SweptRun> own = of(sweep.arms().get(i));
      if (!own.isEmpty()) {
        Estimate at = domain.map(name -> loss(own, name)).orElseGet(() -> loss(own));
        boolean one = Double.isNaN(at.error());
        marks.add(
            new Mark.Estimate(
                i + 1, at.mean(), one ? at.mean() : at.low(), one ? at.mean() : at.high(), 0));
      }
    }
    return new Panel(title, "arm", "nats per token", false, marks);
  }

  Json json() {
    return new Json(
        sweep.name(),
        sweep.aims(),
        sweep.mixtures().concentration(),
        sweep.mixtures().together(),
        sweep.arms().stream().map(this::arm).toList(),
        failures);
  }

  private Arm arm(SweepArm arm) {
    return new Arm(
        arm.name(),
        arm.label(),
        of(arm).stream()
            .map(run -> new Run(run.run(), run.seed(), loss(run), run.losses(), run.weights()))
            .toList());
  }
}
