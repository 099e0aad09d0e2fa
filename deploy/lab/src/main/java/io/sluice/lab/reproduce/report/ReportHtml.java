package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.Figure;
import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A report as one page that needs nothing else: no script, no file beside it, no network. */
final class ReportHtml {
  private static final String STYLE = "/io/sluice/lab/reproduce/report.css";

  private final Report report;
  private final Html html = new Html();

  private ReportHtml(Report report) {
    this.report = report;
  }

  static String text(Report report) {
    ReportHtml page = new ReportHtml(report);
    page.write();
    return page.html.toString();
  }

  private void write() {
    html.markup("<!DOCTYPE html>").markup("<html lang=\"en\">").markup("<head>");
    html.markup("<meta charset=\"utf-8\"/>");
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>");
    html.markup("<meta name=\"color-scheme\" content=\"light dark\"/>");
    html.element("title", "Reproduction: " + report.form());
    html.markup("<style>").markup(style() + "</style>").markup("</head>").markup("<body>");
    html.element("h1", "Reproduction: " + report.form());
    html.element("p", Rules.counts(report));
    overview();
    for (Verdict verdict : Verdict.values()) {
      verdict(verdict, report.of(verdict));
    }
    if (!report.notRun().isEmpty()) {
      html.element("h2", "Not run");
      items(
          report.notRun().stream()
              .map(claim -> claim.id() + " (experiment " + claim.experiment() + ")")
              .toList());
    }
    report.results().experiments().keySet().forEach(this::experiment);
    html.element("h2", "How verdicts come about");
    items(Rules.of(report));
    html.element("h2", "Not reproducible: the environment");
    items(
        report.environment().entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .toList());
    html.markup("</body>").markup("</html>");
  }

  private void overview() {
    html.markup("<table>")
        .markup("<thead><tr><th>claim</th><th class=\"words\">tested</th><th>verdict</th></tr>");
    html.markup("</thead>").markup("<tbody>");
    for (Judgement judgement : report.judgements()) {
      String id = judgement.claim().id();
      html.markup("<tr><td>").element("a href=\"#" + anchor(judgement) + "\"", id).markup("</td>");
      html.element("td class=\"words\"", judgement.claim().tested());
      html.markup("<td>");
      badge(judgement.verdict());
      html.markup("</td></tr>");
    }
    html.markup("</tbody>").markup("</table>");
  }

  private void verdict(Verdict verdict, List<Judgement> judgements) {
    if (judgements.isEmpty()) {
      return;
    }
    html.element("h2", ReportMarkdown.title(verdict));
    for (Judgement judgement : judgements) {
      html.markup("<section id=\"" + anchor(judgement) + "\">");
      html.markup("<h3>").element("span", judgement.claim().id());
      badge(verdict);
      html.markup("</h3>").markup("<dl>");
      for (ClaimText.Line line : ClaimText.lines(judgement, report.results())) {
        html.element("dt", line.label()).element("dd", line.text());
      }
      html.markup("</dl>");
      if (!judgement.differences().bySeed().isEmpty()) {
        html.markup("<figure>").markup(DifferencePlot.of(judgement));
        html.element("figcaption", caption(judgement.claim())).markup("</figure>");
      }
      html.markup("</section>");
    }
  }

  private static String caption(Claim claim) {
    return claim.difference()
        + " in "
        + claim.measure()
        + ", by seed; what lies on grey alone is too small to matter.";
  }

  private void badge(Verdict verdict) {
    String style = verdict.words().replace(' ', '-');
    html.element("span class=\"verdict " + style + "\"", verdict.words());
  }

  /** The place of a claim, whose id has no sign that an attribute could end with. */
  private static String anchor(Judgement judgement) {
    return "claim-" + judgement.claim().id();
  }

  private void experiment(String name) {
    html.element("h2", "Experiment " + name);
    if (!report.departures(name).isEmpty()) {
      html.element("p", "What differs from the paper:");
      items(report.departures(name));
    }
    for (Table table : ArmTables.of(report.results(), name)) {
      html.element("h3", table.title()).markup("<div class=\"wide\"><table>").markup("<thead><tr>");
      table.head().forEach(cell -> html.element("th", cell));
      html.markup("</tr></thead>").markup("<tbody>");
      for (List<String> row : table.rows()) {
        html.markup("<tr>");
        row.forEach(cell -> html.element("td", cell));
        html.markup("</tr>");
      }
      html.markup("</tbody>").markup("</table></div>");
    }
    ScatterFigure.of(report.results(), name)
        .forEach(scatter -> figure(scatter.figure(), scatter.note()));
    CourseFigures.of(report.results(), name)
        .forEach(figure -> figure(figure, "Mean over seeds; the range of all seeds is pale."));
  }

  private void figure(Figure figure, String caption) {
    html.markup("<div class=\"wide\"><figure>").markup(figure.inline());
    html.element("figcaption", caption).markup("</figure></div>");
  }

  private void items(List<String> items) {
    html.markup("<ul>");
    items.forEach(item -> html.element("li", item));
    html.markup("</ul>");
  }

  private static String style() {
    try (InputStream in = ReportHtml.class.getResourceAsStream(STYLE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + STYLE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
