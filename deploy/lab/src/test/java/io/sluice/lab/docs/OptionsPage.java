package io.sluice.lab.docs;

import io.sluice.cli.Sluice;
import io.sluice.cli.dataset.DatasetOptions;
import io.sluice.cli.dataset.SourceOptions;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.refine.RefineOptions;
import io.sluice.cli.sweep.SweepOptions;
import io.sluice.control.config.Option;
import io.sluice.control.runs.RunOptions;
import io.sluice.lab.Lab;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicySettings.Setting;
import io.sluice.mixture.smoothing.Guards;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * {@code docs/options.md} as it should be: headings, descriptions and tables from the code. What a
 * section has from its first example on, and what stands before the first section, is taken from
 * the page as it is; what a policy's setting means, from the page on policies.
 */
final class OptionsPage {
  static final String NAME = "options.md";
  static final String GUARDS = "smoothing";
  static final List<String> DOMAINS = List.of("wiki", "code");
  private static final String DEFAULT = "Default: ";

  private static final Map<Class<?>, String> TYPES =
      Map.of(
          boolean.class, "flag",
          Boolean.class, "flag",
          double.class, "number",
          Double.class, "number",
          String.class, "text",
          Path.class, "path");

  private final MarkdownPage old;
  private final MarkdownPage policies = DocsPage.read("policies.md");
  private final StringBuilder out = new StringBuilder();

  OptionsPage(MarkdownPage old) {
    this.old = old;
  }

  /** The {@code sluice} command with everything below it. */
  static CommandLine commands() {
    return Sluice.commandLine(new GlobalOptions(Map.of(), Path.of("home")), Lab::addTo);
  }

  /** The command and every one below it, in the order of the help, those of a command by name. */
  static List<CommandLine> below(CommandLine command) {
    List<CommandLine> all = new ArrayList<>(List.of(command));
    boolean root = command.getParent() == null;
    Collection<CommandLine> children =
        root ? command.getSubcommands().values() : new TreeMap<>(command.getSubcommands()).values();
    children.forEach(child -> all.addAll(below(child)));
    return all;
  }

  /** Options and arguments that the command does not have from another one. */
  static List<ArgSpec> own(CommandLine command) {
    List<ArgSpec> own = new ArrayList<>(command.getCommandSpec().positionalParameters());
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.inherited() && !option.usageHelp() && !option.versionHelp()) {
        own.add(option);
      }
    }
    return own;
  }

  /** The settings that a policy, or the smoothing, asks for when it is given these. */
  static List<Setting> asked(String name, Map<String, String> given) {
    PolicySettings read = new PolicySettings(name, given);
    if (name.equals(GUARDS)) {
      Guards.read(read, DOMAINS);
    } else {
      factory(name).create(read, DOMAINS);
    }
    read.requireAllRead();
    return read.asked();
  }

  private static PolicyFactory factory(String name) {
    return ServiceLoader.load(PolicyFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The page. */
  String render() {
    out.append(old.text(), 0, old.text().indexOf("\n## ") + 1);
    part("Files");
    file("dataset.yaml", DatasetOptions.ALL);
    file("sources", SourceOptions.ALL);
    file("run.yaml", RunOptions.ALL);
    file("refine.yaml", RefineOptions.ALL);
    file("sweep.yaml", SweepOptions.ALL);
    part("Policies");
    for (String policy : Policies.names()) {
      settings(policy, policy);
    }
    settings(GUARDS, "Smoothing and guards");
    part("Commands");
    below(commands()).forEach(this::command);
    return out.toString().strip() + "\n";
  }

  private void part(String heading) {
    out.append("## ").append(heading).append("\n\n");
    out.append(old.sections().getOrDefault(heading, "").strip()).append("\n\n");
  }

  private void file(String name, List<Option<?>> options) {
    out.append("### `").append(name).append("`\n\n");
    List<List<String>> rows = new ArrayList<>();
    for (Option<?> option : options) {
      rows.add(
          List.of(
              "`" + option.key() + "`",
              option.type(),
              plain(option.allowed()),
              option.otherwise().isEmpty() ? "required" : plain(option.otherwise()),
              "`" + option.example().replace("|", "\\|") + "`",
              option.description()));
    }
    table(List.of("key", "type", "allowed", "default", "example", "meaning"), rows);
    out.append(DocsPage.fromFirstBlock(old, name));
  }

  private void settings(String name, String explained) {
    out.append("### `").append(name).append("`\n\n");
    Map<String, List<String>> meanings = new TreeMap<>();
    DocsPage.rows(policies, explained).forEach(row -> meanings.put(generic(row.get(0)), row));
    List<List<String>> rows = new ArrayList<>();
    Map<String, Setting> asked = new TreeMap<>();
    for (Map<String, String> example : OptionsExamples.settings(old, name)) {
      asked(name, example).forEach(setting -> asked.putIfAbsent(setting.key(), setting));
    }
    for (Setting setting : asked.values()) {
      List<String> row = meanings.get(generic(setting.key()));
      boolean elsewhere = List.of("", "a text").contains(setting.allowed());
      rows.add(
          List.of(
              "`" + setting.key() + "`",
              elsewhere ? row.get(1) : plain(setting.allowed()),
              elsewhere ? row.get(2) : orNone(plain(setting.fallback())),
              row.get(3)));
    }
    if (rows.isEmpty()) {
      out.append("No settings.\n\n");
    }
    table(List.of("setting", "allowed", "default", "meaning"), rows);
    out.append(DocsPage.fromFirstBlock(old, name));
  }

  private void command(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    out.append("### `").append(spec.qualifiedName()).append("`\n\n");
    String description = String.join(" ", spec.usageMessage().description());
    out.append(description.replace("%n", " ").strip()).append("\n\n");
    List<List<String>> rows = new ArrayList<>();
    for (ArgSpec each : own(command)) {
      String[] parts = String.join(" ", each.description()).split(" ?" + DEFAULT, 2);
      String said = parts.length == 1 ? "" : parts[1].replaceAll("\\.$", "");
      rows.add(
          List.of(
              "`" + named(each) + "`",
              type(each),
              fallback(each, said),
              parts[0].replace("<", "\\<")));
    }
    table(List.of("option", "type", "default", "meaning"), rows);
    out.append(DocsPage.fromFirstBlock(old, spec.qualifiedName()));
  }

  /** What holds without an option: as the description says, or else as the code does. */
  private static String fallback(ArgSpec arg, String said) {
    ArgGroupSpec group = arg.group();
    boolean oneOfSeveral = group != null && group.exclusive();
    if (oneOfSeveral && group.multiplicity().min() > 0) {
      List<String> others =
          group.args().stream()
              .filter(other -> other != arg)
              .map(other -> "`" + named(other) + "`")
              .toList();
      return "this or " + String.join(" or ", others);
    }
    if (arg.required() && !oneOfSeveral) {
      return "required";
    }
    boolean isPlain = arg.initialValue() instanceof Number || arg.initialValue() instanceof String;
    String initial = isPlain ? arg.initialValue().toString() : "";
    String value = arg.defaultValue() == null ? initial : arg.defaultValue();
    if (!said.isEmpty() && !said.equals("${DEFAULT-VALUE}") && !value.startsWith(said)) {
      return said;
    }
    return !value.isEmpty() ? value : isFlag(arg) ? "off" : "none";
  }

  private static boolean isFlag(ArgSpec arg) {
    return arg.arity().max() == 0;
  }

  private static String named(ArgSpec arg) {
    String value = isFlag(arg) ? "" : arg.paramLabel();
    return arg instanceof OptionSpec option
        ? (String.join("`, `", option.names()) + " " + value).strip()
        : value;
  }

  private static String type(ArgSpec arg) {
    if (Map.class.isAssignableFrom(arg.type())) {
      return "pairs";
    }
    Class<?>[] elements = arg.auxiliaryTypes();
    if (arg.type() == Optional.class) {
      return typeOf(elements[0]);
    }
    return Collection.class.isAssignableFrom(arg.type())
        ? typeOf(elements[0]) + "s"
        : typeOf(arg.type());
  }

  private static String typeOf(Class<?> type) {
    return type.isEnum() ? "word" : TYPES.getOrDefault(type, "whole number");
  }

  private void table(List<String> header, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    row(header);
    out.append("|").append("---|".repeat(header.size())).append('\n');
    rows.forEach(this::row);
    out.append('\n');
  }

  private void row(List<String> cells) {
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** A key without the names that differ from run to run. */
  static String generic(String key) {
    return key.replaceAll("<[^>]*>|\\b1\\b", "<>").replaceAll("[` ]", "");
  }

  /** A range as people write it. */
  private static String plain(String text) {
    return text.replace("4.503599627370496E15", "2^52")
        .replace(Integer.toString(Integer.MAX_VALUE), "2^31 − 1")
        .replaceAll("(\\d)\\.0\\b", "$1")
        .replaceAll("(\\d)\\.0?E(-?\\d+)", "$1e$2")
        .replaceAll("in \\(0, (.*)]", "above 0 to $1")
        .replaceAll("in \\[(.*), 1\\)", "$1 to below 1")
        .replaceAll("in \\[(.*), (.*)]", "$1 to $2");
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }
}
