package io.sluice.cli;

import io.sluice.cli.audit.AuditCommand;
import io.sluice.cli.cat.CatCommand;
import io.sluice.cli.dataset.DatasetCommand;
import io.sluice.cli.ingest.IngestCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.run.RunCommand;
import io.sluice.cli.simulate.SimulateCommand;
import io.sluice.cli.targets.FitTargetsCommand;
import io.sluice.cli.trainer.TrainerCommand;
import io.sluice.cli.up.UpCommand;
import picocli.CommandLine;

/** Every command of this module, in the order of the help. */
final class Commands {
  private Commands() {}

  static void addTo(CommandLine root, GlobalOptions global) {
    root.addSubcommand(new UpCommand(global));
    root.addSubcommand(DatasetCommand.commandLine(global));
    root.addSubcommand(new IngestCommand(global));
    root.addSubcommand(RunCommand.commandLine(global));
    root.addSubcommand(new CatCommand(global));
    root.addSubcommand(new TrainerCommand(global));
    root.addSubcommand(new AuditCommand(global));
    root.addSubcommand(new SimulateCommand());
    root.addSubcommand(new FitTargetsCommand(global));
  }
}
