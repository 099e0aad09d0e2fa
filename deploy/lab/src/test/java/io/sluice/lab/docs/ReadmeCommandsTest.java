package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.lab.Lab;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command line of the README is one that the command takes. */
class ReadmeCommandsTest {
  /** What the launcher does itself, and what others do. */
  private static final Pattern ELSEWHERE = Pattern.compile("\\./sluice (test|release)\\b.*|pip .*");

  static Stream<String> lines() {
    MarkdownPage readme = DocsPage.read("../README.md");
    return readme.sections().keySet().stream()
        .flatMap(section -> readme.blocks(section).stream())
        .filter(block -> block.language().equals("sh"))
        .flatMap(block -> block.text().lines())
        .map(line -> line.replaceAll("\\s+#.*", ""))
        .filter(line -> !ELSEWHERE.matcher(line).matches());
  }

  @ParameterizedTest
  @MethodSource("lines")
  void isTaken(String line) {
    String[] words = line.split(" +", 0);
    String[] arguments = Stream.of(words).skip(1).toArray(String[]::new);
    assertThatCode(
            () ->
                Sluice.commandLine(new GlobalOptions(Map.of(), Path.of("")), Lab::addTo)
                    .parseArgs(arguments))
        .doesNotThrowAnyException();
  }
}
