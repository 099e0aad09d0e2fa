package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks a refinery's file and shows what it resolves to, without Kafka. */
@Command(
    name = "validate",
    description =
        "Check a refinery's file and its models, and show what it resolves to; needs no Kafka.")
final class ValidateRefinery extends CliCommand {
  @Mixin private FileOption file = new FileOption();

  @Override
  public void run() {
    print(RefineView.lines(file.read()));
  }
}
