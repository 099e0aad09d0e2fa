package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks a dataset file and shows what it resolves to, without Kafka. */
@Command(
    name = "validate",
    description = "Check a dataset's file and show what it resolves to; needs no Kafka.")
final class ValidateDataset extends CliCommand {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "The dataset, in YAML.")
  private Path file = Path.of("dataset.yaml");

  @Override
  public void run() {
    print(DatasetView.lines(DatasetFile.read(file)));
  }
}
