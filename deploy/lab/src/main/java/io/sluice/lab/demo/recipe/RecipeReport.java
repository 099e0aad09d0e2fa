package io.sluice.lab.demo.recipe;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What came of a recipe that was gone through to its end.
 *
 * @param seconds that all took
 * @param audit what the last audit said; '' if there was none
 * @param picture where the last one lies; '' if there is none
 */
public record RecipeReport(
    String recipe, double seconds, List<Line> lines, String audit, String picture) {
  /**
   * A line that was typed.
   *
   * @param seconds that it took
   */
  public record Line(String line, double seconds) {}

  /** Copies the lines. */
  public RecipeReport {
    lines = List.copyOf(lines);
  }

  /** The report in words, a line each. */
  public List<String> summary(Path folder) {
    return List.of(
        String.format(
            Locale.ROOT,
            "recipe %s: %d lines in %.0f s, in %s",
            recipe,
            lines.size(),
            seconds,
            folder),
        audit.isEmpty() ? "nothing was audited" : audit,
        picture.isEmpty() ? "nothing was drawn" : "weights and losses: " + picture);
  }
}
