package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.docs.MarkdownPage.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A section of {@code docs/recipes.md}. The first line of each of its blocks says what becomes of
 * which file: {@code java create FILE}, {@code text append FILE}, {@code diff change FILE} with the
 * lines to find, or {@code sh} with commands.
 */
record Recipe(String name, List<Block> blocks) {
  static Recipe of(MarkdownPage page, String name) {
    return new Recipe(name, page.blocks(name));
  }

  /** The files that the blocks make or change. */
  Set<String> files() {
    Set<String> files = new TreeSet<>();
    for (Block block : blocks) {
      String[] words = block.language().split(" ", 0);
      if (words.length == 3) {
        files.add(words[2]);
      }
    }
    return files;
  }

  /** Does what the block says in a copy of the repository; gives the commands that it has. */
  static List<String> apply(Block block, Path tree) throws IOException {
    String[] words = block.language().split(" ", 0);
    if (words.length < 3) {
      return words[0].equals("sh") ? block.text().replace("\\\n", "").lines().toList() : List.of();
    }
    Path file = tree.resolve(words[2]);
    switch (words[1]) {
      case "create" -> {
        assertThat(file).doesNotExist();
        Files.createDirectories(file.getParent());
        Files.writeString(file, block.text());
      }
      case "append" -> Files.writeString(file, block.text(), StandardOpenOption.APPEND);
      case "change" -> change(file, block.text());
      default -> throw new IllegalArgumentException(block.language());
    }
    return List.of();
  }

  /** Replaces the one place that has the lines that stay and those that go. */
  private static void change(Path file, String diff) throws IOException {
    List<String> before = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (String line : diff.lines().toList()) {
      String text = line.isEmpty() ? "" : line.substring(1);
      if (!line.startsWith("+")) {
        before.add(text);
      }
      if (!line.startsWith("-")) {
        after.add(text);
      }
    }
    String old = "\n" + String.join("\n", before) + "\n";
    String text = "\n" + Files.readString(file);
    assertThat(text.split(Pattern.quote(old), -1)).as("places of %s in %s", old, file).hasSize(2);
    text = text.replace(old, "\n" + String.join("\n", after) + "\n");
    Files.writeString(file, text.substring(1));
  }
}
