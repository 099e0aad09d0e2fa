package io.sluice.cli.run;

import io.sluice.control.runs.RunAdmin;
import io.sluice.schema.DrainRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run drain}. */
@Command(
    name = "drain",
    description = {
      "Grant batches ahead at the current weights, so that no trainer waits while the job is"
          + " replaced.",
      "Rounds that are reached before their feedback is there keep the weights; the log says so."
    })
final class DrainCommand extends RevisionCommand {
  @Option(
      names = "--ahead",
      required = true,
      paramLabel = "BATCHES",
      description = "How many batches beyond the last granted one.")
  private long ahead;

  @Override
  public void run() {
    RunAdmin.Answer answer =
        ask(live(), new DrainRun(ahead, "drained by hand, " + ahead + " batches ahead"));
    report(answer, "drains to batch " + (answer.firstBatch() - 1 + ahead));
  }
}
