package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.schema.DatasetSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows a published dataset with every default resolved. */
@Command(name = "show", description = "Show a published dataset.")
final class ShowDataset extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    DatasetSpec spec = DatasetCommand.catalog(access()).require(name);
    print(DatasetView.lines(spec));
    json.write(DatasetView.of(spec));
  }
}
