package io.sluice.cli.model;

import io.sluice.cli.text.NamedPaths;
import io.sluice.cli.text.TextInput;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Texts whose labels are known: those of which paths have which. */
final class ClassifierLabels {
  @Option(
      names = "--label",
      required = true,
      paramLabel = "NAME=PATH",
      description =
          "A label and a file, folder or object with texts that have it. To be repeated; a label may"
              + " have several.")
  private List<String> labels = new ArrayList<>();

  @Mixin private TextInput input = new TextInput();

  /**
   * The labels that were given.
   *
   * @throws BadInputException if something given is not NAME=PATH
   */
  Set<String> names() {
    return paths().keySet();
  }

  /** Reads all texts, each with its label. */
  void read(PrintWriter notices, BiConsumer<String, String> texts) {
    paths()
        .forEach(
            (label, paths) ->
                input.read(paths, notices, text -> texts.accept(label, text.getText())));
  }

  private Map<String, List<String>> paths() {
    return NamedPaths.of("--label", labels);
  }
}
