package io.sluice.cli.cluster;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.cluster.ClusterModel;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice cluster show}. */
@Command(
    name = "show",
    description = "Show what clusters a model has, and what they were fitted to.")
final class ClusterShowCommand extends CliCommand {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "The model, a directory that 'cluster fit' wrote.")
  private Path model = Path.of("");

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    ClusterReport report = ClusterReport.of(ClusterModel.open(model));
    json.write(report);
    print(report.lines());
  }
}
