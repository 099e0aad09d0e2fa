package io.sluice.cli.dataset;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks a dataset file and shows what it resolves to, without Kafka. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Check a dataset's file and show what it resolves to; needs no Kafka.")
final class ValidateDataset implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "The dataset, in YAML.")
  private Path file = Path.of("dataset.yaml");

  @Override
  public void run() {
    DatasetView.of(DatasetFile.read(file)).print(command.commandLine().getOut());
  }
}
