package io.sluice.serve.view;

import io.sluice.serve.course.Series;
import io.sluice.serve.follow.OpenRun;
import java.util.List;
import java.util.regex.Pattern;

/** A run's course as comma-separated values, a line for each batch, series and domain. */
public final class CourseCsv {
  /** Cells that a spreadsheet would take for a formula. */
  private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r].*", Pattern.DOTALL);

  private CourseCsv() {}

  /** All of it that is kept, oldest first. */
  public static String of(OpenRun.Picture picture) {
    List<String> domains = picture.fold().state().settings().domains();
    StringBuilder csv = new StringBuilder("batch,series,domain,value\r\n");
    add(csv, "weight", picture.course().weights().rows(), domains);
    add(csv, "realised", picture.course().realised().rows(), domains);
    add(csv, "loss", picture.losses(), domains);
    add(csv, "alignment", picture.alignments(), domains);
    return csv.toString();
  }

  private static void add(
      StringBuilder csv, String series, List<Series.Row> rows, List<String> domains) {
    List<String> cells = domains.stream().map(CourseCsv::cell).toList();
    for (Series.Row row : rows) {
      for (int i = 0; i < row.values().length && i < cells.size(); i++) {
        if (!Float.isNaN(row.values()[i])) {
          csv.append(row.batch()).append(',').append(series).append(',');
          csv.append(cells.get(i)).append(',').append(row.values()[i]).append("\r\n");
        }
      }
    }
  }

  /** A text as a cell, which no spreadsheet computes. */
  static String cell(String text) {
    String safe = FORMULA.matcher(text).matches() ? "'" + text : text;
    return safe.chars().anyMatch(c -> ",\"\r\n".indexOf(c) >= 0)
        ? '"' + safe.replace("\"", "\"\"") + '"'
        : safe;
  }
}
