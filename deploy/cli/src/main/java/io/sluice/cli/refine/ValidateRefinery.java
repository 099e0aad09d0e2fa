package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.schema.RefineSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks a refinery's file and shows what it resolves to, without Kafka. */
@Command(
    name = "validate",
    description =
        "Check a refinery's file and its models, and show what it resolves to; needs no Kafka.")
final class ValidateRefinery extends CliCommand {
  @Mixin private FileOption file = new FileOption();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    RefineSpec spec = file.read();
    json.write(RefineView.of(spec));
    print(RefineView.lines(spec));
  }
}
