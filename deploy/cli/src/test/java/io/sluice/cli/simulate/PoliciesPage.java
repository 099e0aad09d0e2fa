package io.sluice.cli.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code docs/policies.md} says, section by section. */
record PoliciesPage(String text, Map<String, String> sections) {
  private static final Path FILE = Path.of("..", "..", "docs", "policies.md");
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^\\./sluice simulate (--scenario .+)$");

  /** A row of a table of settings. */
  record Setting(String key, String allowed, String defaultValue) {
    boolean isPerName() {
      return key.contains("<");
    }

    String stem() {
      return isPerName() ? key.substring(0, key.indexOf('.')) : key;
    }
  }

  static PoliciesPage read() {
    try {
      String text = Files.readString(FILE);
      Map<String, String> sections = new TreeMap<>();
      for (String section : text.split("(?m)^## ", -1)) {
        sections.put(section.lines().findFirst().orElseThrow(), section);
      }
      return new PoliciesPage(text, sections);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Setting> settings(String section) {
    List<Setting> settings = new ArrayList<>();
    for (String line : sections.get(section).lines().toList()) {
      String[] cells = line.split(" \\| ", -1);
      if (line.startsWith("| `") && cells.length == 4) {
        settings.add(
            new Setting(
                cells[0].replaceAll("[|` ]", "").replace("<n>", "1"),
                cells[1].strip(),
                cells[2].strip()));
      }
    }
    return settings;
  }

  List<String> metrics(String section) {
    String line =
        sections
            .get(section)
            .lines()
            .filter(each -> each.startsWith("Needs from trainers: "))
            .findFirst()
            .orElseThrow();
    List<String> metrics = new ArrayList<>();
    Matcher quoted = Pattern.compile("`([a-z_]+)`").matcher(line);
    while (quoted.find()) {
      metrics.add(quoted.group(1));
    }
    return metrics;
  }

  /** Arguments of every simulation whose table is on the page. */
  List<String> simulations() {
    List<String> commands = new ArrayList<>();
    Matcher command = COMMAND.matcher(text);
    while (command.find()) {
      commands.add(command.group(1));
    }
    return commands;
  }
}
