package io.sluice.cli.dataset;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands on datasets. */
@Command(
    name = "dataset",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Datasets: what turns documents into blocks.")
public final class DatasetCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private DatasetCommand() {}

  /** The command with its subcommands. */
  public static CommandLine commandLine(GlobalOptions global) {
    return new CommandLine(new DatasetCommand())
        .addSubcommand(new ApplyDataset(global))
        .addSubcommand(new ListDatasets(global))
        .addSubcommand(new ShowDataset(global))
        .addSubcommand(new ValidateDataset());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: apply, list, show or validate");
  }

  /** The catalog of a deployment, whose topics are made when missing. */
  static DatasetCatalog catalog(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
    }
    return new DatasetCatalog(access);
  }
}
