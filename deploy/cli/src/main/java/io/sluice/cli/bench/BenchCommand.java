package io.sluice.cli.bench;

import io.sluice.cli.options.GlobalOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The benchmarks. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "NAME",
    description = "Measure Sluice on this machine; nothing needs to be started before.")
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private BenchCommand() {}

  /** The command with its subcommands. */
  public static CommandLine commandLine(GlobalOptions global) {
    return new CommandLine(new BenchCommand())
        .addSubcommand(new BenchMix(global))
        .addSubcommand(new BenchLoop(global))
        .addSubcommand(new BenchBridge(global))
        .addSubcommand(new BenchPrepare(global))
        .addSubcommand(new BenchPlan())
        .addSubcommand(new BenchPolicy());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "the name of a benchmark is missing: mix, loop, bridge, prepare, plan or policy");
  }
}
