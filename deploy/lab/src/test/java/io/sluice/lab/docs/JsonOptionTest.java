package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Programs can read what commands print. */
final class JsonOptionTest {
  /** Commands without {@code --json}, each with why it needs none. */
  private static final Map<String, String> WITHOUT =
      Map.of(
          "sluice up", "a service that goes on until it is stopped",
          "sluice serve", "the same, with an API that has all as JSON",
          "sluice completion", "prints a script for a shell",
          "sluice reproduce", "writes its report as JSON, too, beside the pages in --out");

  @Test
  void everyCommandThatPrintsResultsWritesThemAsJson() {
    Set<String> without = new TreeSet<>();
    collect(OptionsPage.commands(), without);
    assertThat(without).isEqualTo(new TreeSet<>(WITHOUT.keySet()));
  }

  /** Commands with subcommands only print what these are. */
  private static void collect(CommandLine command, Set<String> without) {
    if (command.getSubcommands().isEmpty()
        && command.getCommandSpec().findOption("--json") == null) {
      without.add(command.getCommandSpec().qualifiedName());
    }
    command.getSubcommands().values().forEach(each -> collect(each, without));
  }
}
