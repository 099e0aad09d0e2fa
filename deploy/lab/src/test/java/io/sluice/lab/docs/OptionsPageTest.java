package io.sluice.lab.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.dataset.DatasetFile;
import io.sluice.cli.dataset.DatasetOptions;
import io.sluice.cli.dataset.SourceOptions;
import io.sluice.cli.refine.RefineOptions;
import io.sluice.cli.sweep.SweepOptions;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import io.sluice.control.config.OptionReader;
import io.sluice.control.runs.RunFile;
import io.sluice.control.runs.RunOptions;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.PolicySettings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Holds the page of options against the code. {@code -Dsluice.write=true} writes it anew: then add
 * the examples that are missing.
 */
class OptionsPageTest {
  private static final MarkdownPage PAGE = DocsPage.read(OptionsPage.NAME);

  @TempDir Path directory;

  static List<String> settings() {
    List<String> all = new ArrayList<>(Policies.names());
    all.add(OptionsPage.GUARDS);
    return all;
  }

  static List<String> commands() {
    return OptionsPage.below(OptionsPage.commands()).stream()
        .map(command -> command.getCommandSpec().qualifiedName())
        .toList();
  }

  @Test
  void isWhatTheCodeSays() throws IOException {
    String page = new OptionsPage(PAGE).render();
    if (Boolean.getBoolean("sluice.write")) {
      Files.writeString(DocsPage.file(OptionsPage.NAME), page);
    }
    assertThat(Files.readString(DocsPage.file(OptionsPage.NAME))).isEqualTo(page);
  }

  static List<Option<?>> keys() {
    List<Option<?>> all = new ArrayList<>(DatasetOptions.ALL);
    all.addAll(SourceOptions.ALL);
    all.addAll(RefineOptions.ALL);
    all.addAll(SweepOptions.ALL);
    all.addAll(RunOptions.ALL);
    return all;
  }

  @ParameterizedTest
  @MethodSource("keys")
  void hasAnExampleOfEveryKeyThatIsRead(Option<?> option) {
    String key = option.key().replace(".", ": {");
    String given = key + ": " + option.example() + (key.equals(option.key()) ? "" : "}");
    ConfigSection root = ConfigFile.parse("example", given);
    assertThat(new OptionReader(root).get(option)).isNotNull();
  }

  @Test
  void theDatasetsOfTheExamplesAreRead() throws IOException {
    List<String> files = new ArrayList<>();
    PAGE.blocks("dataset.yaml").forEach(block -> files.add(block.text()));
    PAGE.blocks("sources").forEach(block -> files.add(block.text()));
    files.add(
        DatasetOptions.ALL.stream()
            .map(option -> option.key() + ": " + option.example())
            .collect(joining("\n")));
    for (String text : files) {
      Path file = Files.writeString(directory.resolve("dataset.yaml"), text);
      assertThat(DatasetFile.read(file).getDomains()).containsExactly("wiki", "code");
    }
    assertThat(files).hasSizeGreaterThan(1);
  }

  @Test
  void theWholeFilesAreRead() {
    for (MarkdownPage.Block block : PAGE.blocks("run.yaml")) {
      ConfigSection root = ConfigFile.parse("run.yaml", block.text());
      assertThat(RunFile.parse(root, dataset -> 2048).run()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void hasEverySettingInAnExample(String name) {
    Set<String> missing = new TreeSet<>();
    Set<String> given = new TreeSet<>();
    for (Map<String, String> example : OptionsExamples.settings(PAGE, name)) {
      OptionsPage.asked(name, example).forEach(setting -> missing.add(pattern(setting)));
      given.addAll(example.keySet());
    }
    missing.removeIf(pattern -> given.stream().anyMatch(key -> key.matches(pattern)));
    assertThat(missing).isEmpty();
  }

  /** A policy's own settings may stand below its name. */
  private static String pattern(Setting setting) {
    return setting.key().replaceAll("<[^>]*>", "[^.]+")
        + (setting.key().endsWith(".policy") ? ".*" : "");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void hasEveryOptionInAnExampleThatParses(String command) {
    Set<String> missing = new TreeSet<>();
    for (CommandLine each : OptionsPage.below(OptionsPage.commands())) {
      if (each.getCommandSpec().qualifiedName().equals(command)) {
        OptionsPage.own(each).forEach(option -> missing.add(name(option)));
      }
    }
    for (String[] arguments : OptionsExamples.arguments(PAGE, command)) {
      ParseResult parsed = OptionsPage.commands().parseArgs(arguments);
      missing.removeAll(parsed.matchedArgs().stream().map(OptionsPageTest::name).toList());
      while (parsed.hasSubcommand()) {
        parsed = parsed.subcommand();
        missing.removeAll(parsed.matchedArgs().stream().map(OptionsPageTest::name).toList());
      }
    }
    assertThat(missing).isEmpty();
  }

  private static String name(ArgSpec option) {
    return option.isOption() ? ((OptionSpec) option).longestName() : option.paramLabel();
  }
}
