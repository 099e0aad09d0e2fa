package io.sluice.cli.run;

import io.sluice.cli.options.Count;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunRevision;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run limit}. */
@Command(
    name = "limit",
    description = {
      "Give a run another place among others: what is its share of the source, and how much of it"
          + " there may be.",
      "Its batches, their order and its weights are the same whatever the limits are; they only come"
          + " sooner or later."
    })
final class LimitCommand extends RevisionCommand {
  @Option(
      names = "--priority",
      paramLabel = "SHARE",
      description =
          "Share of what the source gives next to other runs' shares, 1 to 100; 10 for who names"
              + " none.")
  private @Nullable Integer priority;

  @Option(
      names = "--tokens-per-second",
      paramLabel = "TOKENS",
      converter = Count.class,
      description = "Most that the source emits, such as 2M; 0 for no ceiling.")
  private @Nullable Long tokensPerSecond;

  @Option(
      names = "--stream",
      paramLabel = "BYTES",
      converter = Count.class,
      description =
          "Most that the stream holds of tokens which no checkpoint has let go, such as 20G; 0 for"
              + " no ceiling.")
  private @Nullable Long stream;

  @Override
  public void run() {
    if (priority == null && tokensPerSecond == null && stream == null) {
      throw new BadInputException(
          "give at least one of --priority, --tokens-per-second and --stream");
    }
    RunFold fold = live();
    RunSpec now = fold.spec();
    RunSpec wanted =
        RunRevision.limits(
            now,
            priority == null ? now.getPriority() : priority,
            tokensPerSecond == null ? now.getTokensPerSecond() : tokensPerSecond,
            stream == null ? now.getStreamBytes() : stream);
    List<String> changes = RunRevision.changes(now, wanted);
    if (changes.isEmpty()) {
      out().println("run " + run + " is like that already");
      return;
    }
    String why = "limited by hand: " + String.join("; ", changes);
    report(
        ask(
            fold,
            new ReviseRun(wanted, List.of(), why, fold.state().position().serial(), List.of())),
        String.join("; ", changes));
  }
}
