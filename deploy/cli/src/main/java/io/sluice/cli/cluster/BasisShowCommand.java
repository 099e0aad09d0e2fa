package io.sluice.cli.cluster;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.basis.BasisModel;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice basis show}. */
@Command(name = "show", description = "Show what each topic is expected to become of its pool.")
final class BasisShowCommand extends CliCommand {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "The model, a directory that 'basis fit' wrote.")
  private Path model = Path.of("");

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    BasisReport report = BasisReport.of(BasisModel.open(model));
    json.write(report);
    print(report.lines());
  }
}
