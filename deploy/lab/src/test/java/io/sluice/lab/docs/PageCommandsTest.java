package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.jobs.main.JobsMain;
import io.sluice.lab.Lab;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Every command line of the README, and of the pages for operators, is one that is taken. */
class PageCommandsTest {
  private static final List<MarkdownPage> PAGES =
      Stream.of("../README.md", "operate.md", "security.md").map(DocsPage::read).toList();

  /** What the launcher does itself, and what others do. */
  private static final Pattern ELSEWHERE =
      Pattern.compile("(\\./sluice (test|release)|pip|tar|flink stop|kafka-acls\\.sh)\\b.*");

  /** A comment, or where the output goes. */
  private static final Pattern BEYOND = Pattern.compile("(^|\\s+)[#>].*");

  /** A command within a sentence, unless a part of it is left out. */
  private static final Pattern INLINE = Pattern.compile("`(sluice [a-z][^`…]*)`");

  private static final Pattern NUMBER = Pattern.compile("\\b(NUMBER|B)\\b");

  static Stream<String> lines() {
    return PAGES.stream()
        .flatMap(page -> page.blocks().stream())
        .filter(block -> block.language().equals("sh"))
        .flatMap(block -> block.text().lines())
        .map(line -> BEYOND.matcher(line).replaceAll(""))
        .filter(line -> !line.isBlank() && !ELSEWHERE.matcher(line).matches());
  }

  static Stream<String> named() {
    return PAGES.stream()
        .flatMap(page -> INLINE.matcher(page.text()).results())
        .map(inline -> NUMBER.matcher(inline.group(1)).replaceAll("1").replace("ROLE", "job"))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void isTaken(String line) {
    assertThatCode(() -> parse(line)).doesNotThrowAnyException();
  }

  /** What a sentence does not say is there where the command is given. */
  @ParameterizedTest
  @MethodSource("named")
  void isACommand(String line) {
    try {
      parse(line);
    } catch (ParameterException e) {
      assertThat(e).isInstanceOf(MissingParameterException.class);
    }
  }

  private static void parse(String line) {
    String[] words = line.split(" +", 0);
    boolean job = words[0].equals("flink");
    CommandLine command =
        job
            ? new CommandLine(JobsMain.class)
            : Sluice.commandLine(new GlobalOptions(Map.of(), Path.of("")), Lab::addTo);
    // Those of a job come after its jar.
    command.parseArgs(
        Stream.of(words)
            .dropWhile(word -> job && !word.endsWith(".jar"))
            .skip(1)
            .toArray(String[]::new));
  }
}
