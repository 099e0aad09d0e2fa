package io.sluice.lab.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A page of the documentation by its sections.
 *
 * @param text all of it
 * @param sections what follows each heading, by the heading without its signs
 */
record MarkdownPage(String text, Map<String, String> sections) {
  /** A fenced piece of a page: its language and its lines. */
  record Block(String language, String text) {}

  static MarkdownPage read(String name) {
    try {
      String text = Files.readString(file(name));
      Map<String, String> sections = new LinkedHashMap<>();
      String heading = "";
      StringBuilder body = new StringBuilder();
      boolean fenced = false;
      for (String line : text.lines().toList()) {
        fenced ^= line.startsWith("```");
        if (line.startsWith("#") && !fenced) {
          sections.put(heading, body.toString());
          heading = line.replaceFirst("#+ ", "").replace("`", "");
          body = new StringBuilder();
        } else {
          body.append(line).append('\n');
        }
      }
      sections.put(heading, body.toString());
      return new MarkdownPage(text, sections);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path file(String name) {
    return Path.of("..", "..", "docs", name);
  }

  /** Cells of the rows of the tables in a section, without the headers. */
  List<List<String>> rows(String section) {
    List<List<String>> rows = new ArrayList<>();
    for (String line : sections.getOrDefault(section, "").lines().toList()) {
      if (line.startsWith("| `")) {
        rows.add(List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)));
      }
    }
    return rows;
  }

  /** A section from its first fenced piece on. */
  String fromFirstBlock(String section) {
    String body = sections.getOrDefault(section, "");
    int fence = body.indexOf("```");
    return fence < 0 ? "" : body.substring(fence);
  }

  /** The fenced pieces of a section. */
  List<Block> blocks(String section) {
    List<Block> blocks = new ArrayList<>();
    String[] parts = sections.getOrDefault(section, "").split("(?m)^```", -1);
    for (int i = 1; i < parts.length; i += 2) {
      int line = parts[i].indexOf('\n');
      blocks.add(new Block(parts[i].substring(0, line), parts[i].substring(line + 1)));
    }
    return blocks;
  }
}
