package io.sluice.cli;

import io.sluice.cli.audit.AuditCommand;
import io.sluice.cli.cache.CacheCommand;
import io.sluice.cli.cat.CatCommand;
import io.sluice.cli.cluster.BasisCommand;
import io.sluice.cli.cluster.ClusterCommand;
import io.sluice.cli.cluster.HistogramCommand;
import io.sluice.cli.completion.CompletionCommand;
import io.sluice.cli.context.ContextCommand;
import io.sluice.cli.dataset.DatasetCommand;
import io.sluice.cli.doctor.DoctorCommand;
import io.sluice.cli.domain.DeadLettersCommand;
import io.sluice.cli.domain.DomainsCommand;
import io.sluice.cli.forget.ForgetCommand;
import io.sluice.cli.ingest.IngestCommand;
import io.sluice.cli.lineage.LineageCommand;
import io.sluice.cli.model.BenchmarkCommand;
import io.sluice.cli.model.ClassifierCommand;
import io.sluice.cli.model.EmbedderCommand;
import io.sluice.cli.model.PerplexityCommand;
import io.sluice.cli.options.CommandGroup;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.plan.PlanCommand;
import io.sluice.cli.refine.RefineCommand;
import io.sluice.cli.rights.RightsCommand;
import io.sluice.cli.run.ManageRunsCommand;
import io.sluice.cli.serve.ServeCommand;
import io.sluice.cli.simulate.SimulateCommand;
import io.sluice.cli.simulate.WhatIfCommand;
import io.sluice.cli.storage.StorageCommand;
import io.sluice.cli.sweep.FitMixtureCommand;
import io.sluice.cli.sweep.SweepCommand;
import io.sluice.cli.synthesize.SynthesizeCommand;
import io.sluice.cli.targets.FitTargetsCommand;
import io.sluice.cli.trainer.TrainerCommand;
import io.sluice.cli.up.UpCommand;
import io.sluice.cli.upgrade.UpgradeCommand;
import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The {@code sluice} command. */
@Command(
    name = "sluice",
    versionProvider = Sluice.Version.class,
    description =
        "A streaming data loader for LLM pre-training that re-weights its domains online.",
    footer = {
      "",
      "Exit codes: 0 done; 1 what was checked does not hold; 2 bad usage or input; 3 Kafka or a job"
          + " is unreachable; 70 an error of Sluice itself."
    },
    subcommands = {
      UpCommand.class,
      ServeCommand.class,
      ContextCommand.class,
      DoctorCommand.class,
      PlanCommand.class,
      StorageCommand.class,
      DatasetCommand.class,
      DomainsCommand.class,
      RefineCommand.class,
      BenchmarkCommand.class,
      ClassifierCommand.class,
      PerplexityCommand.class,
      EmbedderCommand.class,
      ClusterCommand.class,
      HistogramCommand.class,
      BasisCommand.class,
      SynthesizeCommand.class,
      DeadLettersCommand.class,
      IngestCommand.class,
      ManageRunsCommand.class,
      CatCommand.class,
      TrainerCommand.class,
      CacheCommand.class,
      AuditCommand.class,
      LineageCommand.class,
      ForgetCommand.class,
      RightsCommand.class,
      UpgradeCommand.class,
      SimulateCommand.class,
      WhatIfCommand.class,
      FitTargetsCommand.class,
      SweepCommand.class,
      FitMixtureCommand.class,
      CompletionCommand.class
    })
public final class Sluice extends CommandGroup {
  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    main(args, root -> {});
  }

  /** The same with further commands. */
  public static void main(String[] args, Consumer<CommandLine> further) {
    Path home = Path.of(System.getProperty("sluice.home", ".sluice"));
    System.exit(commandLine(new GlobalOptions(System.getenv(), home), further).execute(args));
  }

  /**
   * The command with all its subcommands.
   *
   * @param further adds those that this module does not know
   */
  public static CommandLine commandLine(GlobalOptions global, Consumer<CommandLine> further) {
    CommandLine root = new CommandLine(new Sluice());
    further.accept(root);
    root.addMixin(GLOBAL, global);
    Failures failures = new Failures(global);
    root.setExecutionStrategy(parsed -> execute(parsed, global));
    root.setExecutionExceptionHandler(failures);
    root.setParameterExceptionHandler(failures);
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setUsageHelpAutoWidth(true);
    return root;
  }

  private static int execute(ParseResult parsed, GlobalOptions global) {
    List<CommandLine> asked = parsed.asCommandLineList();
    if (asked.stream().noneMatch(Sluice::needsNoPlugins)) {
      try {
        global.requirePlugins();
      } catch (BadInputException e) {
        CommandLine last = asked.get(asked.size() - 1);
        throw new ParameterException(last, String.valueOf(e.getMessage()), e);
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /** Whether it may be what somebody asks because something is wrong with the plugins. */
  private static boolean needsNoPlugins(CommandLine asked) {
    return asked.isUsageHelpRequested() || asked.getCommand() instanceof ContextCommand;
  }

  /** Version of the jar; 'development' when run from classes. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Sluice.class.getPackage().getImplementationVersion();
      return new String[] {"sluice " + (version == null ? "development" : version)};
    }
  }
}
