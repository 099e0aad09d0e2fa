package io.sluice.lab.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pages of this project, and what only its tests read of them. */
final class DocsPage {
  private DocsPage() {}

  static MarkdownPage read(String name) {
    return MarkdownPage.read(file(name));
  }

  static Path file(String name) {
    return Path.of("..", "..", "docs", name);
  }

  /** Cells of the rows of the tables in a section, without the headers. */
  static List<List<String>> rows(MarkdownPage page, String section) {
    List<List<String>> rows = new ArrayList<>();
    for (String line : page.sections().getOrDefault(section, "").lines().toList()) {
      if (line.startsWith("| `")) {
        rows.add(List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)));
      }
    }
    return rows;
  }

  /** A section from its first fenced piece on. */
  static String fromFirstBlock(MarkdownPage page, String section) {
    String body = page.sections().getOrDefault(section, "");
    int fence = body.indexOf("```");
    return fence < 0 ? "" : body.substring(fence);
  }
}
