package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators are told that they see is what the code prints. */
class SymptomsTest {
  private static final String SECTION = "What you see, and what helps";
  private static final Path PROJECT = Path.of("..", "..");
  private static final List<String> SOURCES =
      List.of("flink-jobs", "trainer-bridge", "deploy/cli", "schemas");

  /** One or two signs around it, as where it has such a sign itself. */
  private static final Pattern QUOTED = Pattern.compile("``(.+?) ``|`([^`]+)`");

  /** Where something is left out, and words that lines of several parts share. */
  private static final Pattern LEFT_OUT = Pattern.compile("…|\\bwaits:? |reason: ");

  private static final int SHORTEST = 6;

  @Test
  void everyQuotedTextIsInTheSources() {
    List<String> texts = quoted(DocsPage.read("operate.md").sections().get(SECTION));
    assertThat(texts).hasSizeGreaterThan(40);
    String sources = sources();
    assertThat(texts).allSatisfy(text -> assertThat(sources).contains(text));
  }

  @Test
  void oneThatIsNotIsFound() {
    String row =
        "| `RunEnded`, `run … is bewitched`, ``paused: waits for `resume` `` | `a command` | |";
    assertThat(quoted(row)).containsExactly("RunEnded", "is bewitched", "paused:", "for `resume`");
    assertThat(sources()).contains("for `resume`").doesNotContain("is bewitched");
  }

  /** The parts of what the first column of a table quotes. */
  private static List<String> quoted(String table) {
    return table
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.split(" \\| ", 2)[0])
        .flatMap(cell -> QUOTED.matcher(cell).results())
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .flatMap(text -> Stream.of(LEFT_OUT.split(text, -1)))
        .map(String::strip)
        .filter(text -> text.length() >= SHORTEST)
        .toList();
  }

  private static String sources() {
    return SOURCES.stream().map(SymptomsTest::text).collect(Collectors.joining());
  }

  private static String text(String folder) {
    try (Stream<Path> files = Files.walk(PROJECT.resolve(folder))) {
      return files
          .filter(file -> file.toString().matches(".*/src/(main|sluice)/.*\\.(java|py)"))
          .map(SymptomsTest::content)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
