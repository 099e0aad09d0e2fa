package io.sluice.cli.run;

import io.sluice.cli.options.CliCommand;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunRevision;
import org.apache.avro.specific.SpecificRecordBase;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What every command that changes a run has in common. */
abstract class RunChangeCommand extends CliCommand {
  @Parameters(index = "0", paramLabel = "RUN", description = "Its name.")
  String run = "";

  @Option(
      names = "--timeout",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description = "How long the log may take to answer. Default: ${DEFAULT-VALUE}.")
  int timeout = 30;

  RunAdmin hand() {
    return RunAdmin.of(access(), timeout);
  }

  /** The live run that is meant. */
  RunFold live() {
    RunFold fold = hand().require(run);
    RunRevision.requireLive(fold);
    return fold;
  }

  RunAdmin.Answer ask(RunFold fold, SpecificRecordBase body) {
    return hand().ask(fold, body);
  }
}
