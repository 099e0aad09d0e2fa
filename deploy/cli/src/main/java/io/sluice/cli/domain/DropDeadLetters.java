package io.sluice.cli.domain;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.DeadLetterLog;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice deadletter drop}. */
@Command(
    name = "drop",
    description =
        "Delete the oldest dead letters, with what was refused: those of documents that are to be"
            + " erased, or that nobody looks at any more.")
final class DropDeadLetters extends CliCommand {
  @Option(
      names = "--before",
      required = true,
      paramLabel = "NUMBER",
      description = "The first that stays, as 'deadletter list' has them.")
  private long before;

  @Mixin private JsonFile json = new JsonFile();

  /**
   * What is deleted.
   *
   * @param before the first that stays
   */
  record Report(long before, long dropped) {}

  @Override
  public void run() {
    long dropped = new DeadLetterLog(access()).drop(before);
    json.write(new Report(before, dropped));
    print(List.of(dropped + " dead letters before number " + before + " are deleted"));
  }
}
