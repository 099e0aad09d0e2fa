package io.sluice.cli.dataset;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.report.JsonReport;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a published dataset with every default resolved. */
@Command(name = "show", mixinStandardHelpOptions = true, description = "Show a published dataset.")
final class ShowDataset implements Runnable {
  private final GlobalOptions global;

  @Spec private CommandSpec command = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the dataset as JSON.")
  private @Nullable Path json;

  ShowDataset(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    DatasetView view = DatasetView.of(DatasetCommand.catalog(global.access()).require(name));
    view.print(command.commandLine().getOut());
    if (json != null) {
      JsonReport.write(json, view);
    }
  }
}
