package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.schema.DatasetSpec;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    DatasetSpec spec = DatasetFile.read(file);
    json.write(DatasetView.of(spec));
    print(DatasetView.lines(spec));
  }
}
