package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.TextTable;
import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as Markdown, as GitHub reads it. */
final class ReportMarkdown {
  private final Report report;
  private final List<String> lines = new ArrayList<>();

  private ReportMarkdown(Report report) {
    this.report = report;
  }

  static String text(Report report) {
    ReportMarkdown markdown = new ReportMarkdown(report);
    markdown.write();
    return String.join("\n", markdown.lines) + "\n";
  }

  private void write() {
    paragraph("# Reproduction: " + escaped(report.form()));
    paragraph(Rules.counts(report));
    paragraph("## How verdicts come about");
    items(Rules.of(report));
    for (Verdict verdict : Verdict.values()) {
      List<Judgement> judgements = report.of(verdict);
      if (!judgements.isEmpty()) {
        paragraph("## " + title(verdict));
        judgements.forEach(this::judgement);
      }
    }
    if (!report.notRun().isEmpty()) {
      paragraph("## Not run");
      items(
          report.notRun().stream()
              .map(claim -> claim.id() + " (experiment " + claim.experiment() + ")")
              .toList());
    }
    report.results().experiments().keySet().forEach(this::experiment);
    paragraph("## Not reproducible: the environment");
    items(
        report.environment().entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .toList());
    lines.remove(lines.size() - 1);
  }

  static String title(Verdict verdict) {
    String words = verdict.words();
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private void judgement(Judgement judgement) {
    paragraph("### " + escaped(judgement.claim().id()));
    for (ClaimText.Line line : ClaimText.lines(judgement, report.results())) {
      lines.add("- **" + escaped(line.label()) + "**: " + escaped(line.text()));
    }
    lines.add("");
  }

  private void experiment(String name) {
    paragraph("## Experiment " + escaped(name));
    if (!report.departures(name).isEmpty()) {
      paragraph("What differs from the paper:");
      items(report.departures(name));
    }
    ScatterFigure.of(report.results(), name).forEach(scatter -> paragraph(escaped(scatter.note())));
    for (Table table : ArmTables.of(report.results(), name)) {
      paragraph("### " + escaped(name) + ": " + escaped(table.title()));
      TextTable text = new TextTable(table.head().stream().map(ReportMarkdown::escaped).toList());
      table.rows().forEach(row -> text.add(row.stream().map(ReportMarkdown::escaped).toList()));
      lines.addAll(text.lines());
      lines.add("");
    }
  }

  private void paragraph(String text) {
    lines.add(text);
    lines.add("");
  }

  private void items(List<String> items) {
    items.forEach(item -> lines.add("- " + escaped(item)));
    lines.add("");
  }

  /** A text in which nothing is markup, on one line. */
  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\\', '`', '*', '[', ']', '|', '~' -> out.append('\\').appendCodePoint(c);
                default -> out.appendCodePoint(Character.isISOControl(c) ? ' ' : c);
              }
            });
    return out.toString();
  }
}
