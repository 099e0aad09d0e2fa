package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice classifier import}. */
@Command(
    name = "import",
    description = {
      "Take a neural classifier of texts, once it has been tried.",
      "Its first output must have a logit for each label, [1, labels]. A longer text is cut."
    })
final class ClassifierImportCommand extends CliCommand {
  @Mixin private NetworkFiles files = new NetworkFiles();

  @Option(
      names = "--labels",
      required = true,
      split = ",",
      paramLabel = "NAME",
      description = "Its labels, in the order of its outputs, separated by commas.")
  private List<String> labels = List.of();

  @Override
  public void run() {
    files.tell(out(), files.read().classifier(labels, files.out()));
  }
}
