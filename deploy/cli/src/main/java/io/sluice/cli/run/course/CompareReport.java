package io.sluice.cli.run.course;

import io.sluice.cli.plot.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two runs side by side, as text and as JSON. */
record CompareReport(RunComparison comparison) {
  private static final int MOST_STEPS = 5;
  private static final int MOST_DOMAINS = 12;

  /** What JSON says of a domain at a step; a loss is null where none was measured. */
  record Point(double[] weights, @Nullable Double[] losses) {}

  /** What JSON says of a step that both measured. */
  record Step(long step, @Nullable Double meanLossDifference, Map<String, Point> domains) {}

  /** Everything that JSON says; arrays have the first run's value, then the second's. */
  record Json(
      List<String> runs,
      boolean comparable,
      List<String> notComparable,
      List<String> differences,
      List<Step> steps,
      Map<String, long[]> tokens) {}

  static CompareReport of(RunComparison comparison) {
    return new CompareReport(comparison);
  }

  List<String> lines() {
    ComparedRun a = comparison.first();
    ComparedRun b = comparison.second();
    List<String> lines = new ArrayList<>(List.of("runs " + a.name() + " and " + b.name(), ""));
    List<String> doubts = comparison.doubts();
    if (!doubts.isEmpty()) {
      lines.add("Their losses are not comparable:");
      doubts.forEach(doubt -> lines.add("  " + doubt));
      lines.add("");
    }
    List<String> differences = comparison.differences();
    lines.add(differences.isEmpty() ? "They have the same specification." : "They differ in:");
    differences.forEach(difference -> lines.add("  " + difference));
    lines.add("");
    List<Long> steps = shown(comparison.steps());
    if (!steps.isEmpty()) {
      lines.addAll(courses(steps));
      lines.add("");
      long last = steps.get(steps.size() - 1);
      lines.add(
          String.format(
              Locale.ROOT,
              "At step %d, the last that both measured, %s's losses are %+.4f nats per token above"
                  + " %s's, as a mean over the domains.",
              last,
              b.name(),
              comparison.lossDifference(last),
              a.name()));
      lines.add("");
    }
    lines.addAll(tokens());
    int left = comparison.domains().size() - shownDomains().size();
    if (left > 0) {
      lines.add("Of " + left + " more domains, --json has the numbers.");
    }
    return lines;
  }

  private List<String> courses(List<Long> steps) {
    ComparedRun a = comparison.first();
    ComparedRun b = comparison.second();
    TextTable table =
        new TextTable(
            List.of(
                "domain",
                "step",
                "weight " + a.name(),
                "weight " + b.name(),
                "loss " + a.name(),
                "loss " + b.name(),
                "difference"));
    for (String domain : shownDomains()) {
      for (long step : steps) {
        table.add(
            List.of(
                domain,
                Long.toString(step),
                TextTable.fixed(4, a.weight(step, domain)),
                TextTable.fixed(4, b.weight(step, domain)),
                loss("%.4f", a.loss(step, domain)),
                loss("%.4f", b.loss(step, domain)),
                loss("%+.4f", b.loss(step, domain) - a.loss(step, domain))));
      }
    }
    return table.lines();
  }

  private List<String> tokens() {
    ComparedRun a = comparison.first();
    ComparedRun b = comparison.second();
    TextTable table =
        new TextTable(List.of("domain", "tokens " + a.name(), "tokens " + b.name(), "ratio"));
    for (String domain : shownDomains()) {
      long one = a.tokens().getOrDefault(domain, 0L);
      long other = b.tokens().getOrDefault(domain, 0L);
      String ratio = one == 0 ? "-" : TextTable.fixed(3, (double) other / one);
      table.add(List.of(domain, grouped(one), grouped(other), ratio));
    }
    return table.lines();
  }

  Json json() {
    List<Step> steps = new ArrayList<>();
    for (long step : comparison.steps()) {
      Map<String, Point> points = new LinkedHashMap<>();
      comparison.domains().forEach(domain -> points.put(domain, point(step, domain)));
      steps.add(new Step(step, known(comparison.lossDifference(step)), points));
    }
    Map<String, long[]> tokens = new LinkedHashMap<>();
    for (String domain : comparison.domains()) {
      tokens.put(
          domain,
          new long[] {
            comparison.first().tokens().getOrDefault(domain, 0L),
            comparison.second().tokens().getOrDefault(domain, 0L)
          });
    }
    List<String> doubts = comparison.doubts();
    return new Json(
        List.of(comparison.first().name(), comparison.second().name()),
        doubts.isEmpty(),
        doubts,
        comparison.differences(),
        steps,
        tokens);
  }

  private Point point(long step, String domain) {
    ComparedRun a = comparison.first();
    ComparedRun b = comparison.second();
    return new Point(
        new double[] {a.weight(step, domain), b.weight(step, domain)},
        new @Nullable Double[] {known(a.loss(step, domain)), known(b.loss(step, domain))});
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static String loss(String format, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The domains with the most tokens, in their own order. */
  private List<String> shownDomains() {
    List<String> all = comparison.domains();
    List<String> most =
        all.stream()
            .sorted(Comparator.comparingLong(domain -> -tokens(domain)))
            .limit(MOST_DOMAINS)
            .toList();
    return all.stream().filter(most::contains).toList();
  }

  private long tokens(String domain) {
    return comparison.first().tokens().getOrDefault(domain, 0L)
        + comparison.second().tokens().getOrDefault(domain, 0L);
  }

  /** Some of them, evenly, the first and the last among them. */
  private static List<Long> shown(List<Long> steps) {
    if (steps.size() <= MOST_STEPS) {
      return steps;
    }
    List<Long> shown = new ArrayList<>();
    for (int n = 0; n < MOST_STEPS; n++) {
      shown.add(steps.get(Math.round((float) n * (steps.size() - 1) / (MOST_STEPS - 1))));
    }
    return shown;
  }
}
