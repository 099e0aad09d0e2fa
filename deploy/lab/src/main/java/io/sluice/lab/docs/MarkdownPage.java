package io.sluice.lab.docs;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the documentation by its sections.
 *
 * @param text all of it
 * @param sections what follows each heading, by the heading without its signs
 */
public record MarkdownPage(String text, Map<String, String> sections) {
  /** A fenced piece of a page: its language and its lines. */
  public record Block(String language, String text) {
    private static final Pattern NAMED = Pattern.compile("[a-z]+: ([A-Za-z0-9_-]{1,63})");

    /**
     * Where a piece of YAML belongs, by the name in its first line, such as {@code run: small}: a
     * file {@code small.yaml}, or {@code small-data.yaml} where a run or a refinery has that.
     *
     * @throws BadInputException if the first line has no name
     */
    public Path file(Path folder) {
      String first = text.lines().findFirst().orElse("");
      Matcher named = NAMED.matcher(first);
      if (!named.matches()) {
        throw new BadInputException(
            "a block of YAML must begin with a kind and a name, as 'run: small': '" + first + "'");
      }
      Path file = folder.resolve(named.group(1) + ".yaml");
      return Files.exists(file) ? folder.resolve(named.group(1) + "-data.yaml") : file;
    }
  }

  /**
   * Reads a page.
   *
   * @throws BadInputException if it cannot be read
   */
  public static MarkdownPage read(Path file) {
    try {
      return of(Files.readString(file));
    } catch (IOException e) {
      throw new BadInputException("the page must be a file that can be read: " + e, e);
    }
  }

  /** A page that is this text. */
  public static MarkdownPage of(String text) {
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
  }

  /** The fenced pieces of a section; none if there is no such section. */
  public List<Block> blocks(String section) {
    List<Block> blocks = new ArrayList<>();
    String[] parts = sections.getOrDefault(section, "").split("(?m)^```", -1);
    for (int i = 1; i < parts.length; i += 2) {
      int line = parts[i].indexOf('\n');
      blocks.add(new Block(parts[i].substring(0, line), parts[i].substring(line + 1)));
    }
    return blocks;
  }

  /** The fenced pieces of the whole page, in their order. */
  public List<Block> blocks() {
    return sections.keySet().stream().flatMap(section -> blocks(section).stream()).toList();
  }
}
