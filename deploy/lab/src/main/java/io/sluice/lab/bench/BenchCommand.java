package io.sluice.lab.bench;

import io.sluice.cli.options.CommandGroup;
import io.sluice.lab.bench.age.BenchAgeCommand;
import io.sluice.lab.bench.bridge.BenchBridgeCommand;
import io.sluice.lab.bench.decide.BenchPlanCommand;
import io.sluice.lab.bench.decide.BenchPolicyCommand;
import io.sluice.lab.bench.end.BenchEndToEndCommand;
import io.sluice.lab.bench.fan.BenchFanOutCommand;
import io.sluice.lab.bench.loop.BenchLoopCommand;
import io.sluice.lab.bench.mix.BenchMixCommand;
import io.sluice.lab.bench.prepare.BenchPrepareCommand;
import io.sluice.lab.bench.refine.BenchRefineCommand;
import io.sluice.lab.bench.start.BenchStartCommand;
import io.sluice.lab.bench.step.BenchStepCommand;
import io.sluice.lab.bench.wait.BenchWaitCommand;
import picocli.CommandLine.Command;

/** The benchmarks. */
@Command(
    name = "bench",
    description = "Measure Sluice on this machine; nothing needs to be started before.",
    subcommands = {
      BenchEndToEndCommand.class,
      BenchMixCommand.class,
      BenchLoopCommand.class,
      BenchStartCommand.class,
      BenchWaitCommand.class,
      BenchStepCommand.class,
      BenchBridgeCommand.class,
      BenchPrepareCommand.class,
      BenchRefineCommand.class,
      BenchPlanCommand.class,
      BenchPolicyCommand.class,
      BenchAgeCommand.class,
      BenchFanOutCommand.class
    })
public final class BenchCommand extends CommandGroup {}
