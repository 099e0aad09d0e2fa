package io.sluice.refine.synthesis.qa;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Words by lines of a resource, each of which can stand for the others of its line. Immutable. */
final class WordLines {
  private static final String FOLDER = "/io/sluice/refine/synthesis/";

  private final Map<String, List<String>> others;

  private WordLines(Map<String, List<String>> others) {
    this.others = others;
  }

  /** Reads a resource: words by spaces, in lines; {@code #} begins a remark. */
  static WordLines read(String name) {
    try (InputStream in = WordLines.class.getResourceAsStream(FOLDER + name + ".txt")) {
      if (in == null) {
        throw new IllegalStateException("no list of words " + name);
      }
      Map<String, List<String>> others = new HashMap<>();
      new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(line -> add(others, List.of(line.split(" "))));
      return new WordLines(others);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Map<String, List<String>> others, List<String> line) {
    for (String word : line) {
      List<String> rest = line.stream().filter(other -> !other.equals(word)).toList();
      if (rest.isEmpty() || others.put(word, rest) != null) {
        throw new IllegalStateException("must be in one line, and not alone: " + word);
      }
    }
  }

  /** The other words of a word's line; none if it is in no line. */
  List<String> others(String word) {
    return others.getOrDefault(word, List.of());
  }
}
