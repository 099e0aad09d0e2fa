package io.sluice.lab.bench;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.lab.bench.bridge.BenchBridgeCommand;
import io.sluice.lab.bench.decide.BenchPlanCommand;
import io.sluice.lab.bench.decide.BenchPolicyCommand;
import io.sluice.lab.bench.loop.BenchLoopCommand;
import io.sluice.lab.bench.mix.BenchMixCommand;
import io.sluice.lab.bench.prepare.BenchPrepareCommand;
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
        .addSubcommand(new BenchMixCommand(global))
        .addSubcommand(new BenchLoopCommand(global))
        .addSubcommand(new BenchBridgeCommand(global))
        .addSubcommand(new BenchPrepareCommand(global))
        .addSubcommand(new BenchPlanCommand())
        .addSubcommand(new BenchPolicyCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "the name of a benchmark is missing: mix, loop, bridge, prepare, plan or policy");
  }
}
