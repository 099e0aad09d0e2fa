package io.sluice.cli.options;

import java.util.List;
import picocli.CommandLine.Command;

/** A command that does nothing but name the commands below it. */
@Command(synopsisSubcommandLabel = "COMMAND")
public abstract class CommandGroup extends CliCommand {
  @Override
  public final void run() {
    List<String> names = List.copyOf(spec().subcommands().keySet());
    int last = names.size() - 1;
    String others = last == 0 ? "" : String.join(", ", names.subList(0, last)) + " or ";
    throw misused("a command is missing: " + others + names.get(last));
  }
}
