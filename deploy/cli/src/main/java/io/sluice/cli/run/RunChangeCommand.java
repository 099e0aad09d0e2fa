package io.sluice.cli.run;

import io.sluice.cli.options.CliCommand;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunRevision;
import io.sluice.mixture.log.ControlEntry.Revised;
import java.util.Locale;
import java.util.StringJoiner;
import org.apache.avro.specific.SpecificRecordBase;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What every command that revises a run has in common. */
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

  /** Says what holds from when on. */
  void report(RunAdmin.Answer answer, String what) {
    out()
        .printf(
            Locale.ROOT,
            "run %s: %s, from batch %d (timeline %d, mixture version %d)%n",
            run,
            what,
            answer.firstBatch(),
            answer.entry().timeline(),
            ((Revised) answer.entry().body()).snapshot().weightsVersion());
    out().flush();
  }

  /** The weights that an answer leads to. */
  static String weights(RunAdmin.Answer answer) {
    var revised = (Revised) answer.entry().body();
    StringJoiner named = new StringJoiner(" ");
    for (int i = 0; i < revised.settings().domains().size(); i++) {
      named.add(
          String.format(
              Locale.ROOT,
              "%s=%.6f",
              revised.settings().domains().get(i),
              revised.snapshot().decided().share(i)));
    }
    return named + (revised.snapshot().pinned() ? " pinned" : "");
  }
}
