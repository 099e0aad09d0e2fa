package io.sluice.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows of equal length under a head, as a Markdown table whose columns line up. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** A table without rows. */
  public TextTable(List<String> head) {
    rows.add(List.copyOf(head));
  }

  /** One more row, as long as the head. */
  public void add(List<String> row) {
    if (row.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "a row must have " + rows.get(0).size() + " cells: " + row.size());
    }
    rows.add(List.copyOf(row));
  }

  /** A number with so many decimals, as a cell. */
  public static String fixed(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** The head, a rule, and the rows; the first column to the left, all others to the right. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Math.max(3, row.get(i).length()));
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("|");
      for (int i = 0; i < widths.length; i++) {
        String gap = " ".repeat(widths[i] - row.get(i).length());
        line.append(' ').append(i == 0 ? row.get(i) + gap : gap + row.get(i)).append(" |");
      }
      lines.add(line.toString());
    }
    StringBuilder rule = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      rule.append("-".repeat(widths[i] + 1)).append(i == 0 ? "-|" : ":|");
    }
    lines.add(1, rule.toString());
    return lines;
  }
}
