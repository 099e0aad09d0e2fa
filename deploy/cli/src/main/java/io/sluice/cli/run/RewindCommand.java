package io.sluice.cli.run;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunPast;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunRevision;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.BatchSnapshots.Past;
import io.sluice.schema.RewindRun;
import io.sluice.schema.run.DocumentMasks;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run rewind}. */
@Command(
    name = "rewind",
    description = {
      "Go back to the end of an earlier batch, with the policy's state as of then, and open the"
          + " next timeline there.",
      "What people changed while that batch was the last granted one stands; to undo that as well,"
          + " go back to the batch before.",
      "What was granted later stays in the old timeline. Trainers must resume from a checkpoint at"
          + " or before the batch."
    })
final class RewindCommand extends RevisionCommand {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");

  @Option(
      names = "--to-batch",
      required = true,
      paramLabel = "B",
      description = "The last batch that stands; 0 for none.")
  private long batch;

  @Option(
      names = "--skip",
      paramLabel = "B..C",
      description = "Pass over the data of the batches after B, up to C.")
  private String skip = "";

  @Override
  public void run() {
    long skippedTo = skippedTo();
    RunPast log = RunPast.read(access(), hand().requireStarted(run), batch, skippedTo);
    RunRevision.requireLive(log.fold());
    Past past = past(log, batch, skippedTo);
    RewindRun rewind =
        new RewindRun(
            log.fold().state().position().timeline(),
            DocumentMasks.rewound(
                log.fold().specAt(past.settingsSerial()),
                log.fold().spec().getMasks(),
                batch,
                log.fold().state().position().granted()),
            Snapshots.write(past.snapshot()),
            skippedTo,
            "rewound by hand to batch "
                + batch
                + (skippedTo > batch ? ", passing over the data up to batch " + skippedTo : ""));
    RunAdmin.Answer answer = ask(log.fold(), rewind);
    report(answer, "rewound to batch " + batch);
    out().println("resume the trainers from a checkpoint at or before batch " + batch);
  }

  private static Past past(RunPast log, long batch, long skippedTo) {
    try {
      return log.batches().rewound(batch, skippedTo);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--to-batch, --skip: " + e.getMessage(), e);
    }
  }

  private long skippedTo() {
    if (skip.isEmpty()) {
      return batch;
    }
    Matcher range = RANGE.matcher(skip);
    if (!range.matches()
        || Long.parseLong(range.group(1)) != batch
        || Long.parseLong(range.group(2)) < batch) {
      throw new BadInputException(
          "--skip must be " + batch + "..C with C at least " + batch + ": '" + skip + "'");
    }
    return Long.parseLong(range.group(2));
  }
}
